import { expect, test } from 'vitest'
import type { Message } from '~/core'
import { count, textOf } from '~/language'
import { sentenceOf } from './swedish'

const swedish = (code: string, parameters?: Message['parameters']) =>
  sentenceOf({ code, parameters, text: 'English' }, value => value.toLocaleString('sv-SE'))

test("a message's code has a Swedish sentence, with parameters in Swedish and numbers with separators", () => {
  expect(swedish('session_ended')).toBe('Din inloggning har gått ut. Logga in igen.')
  expect(swedish('import.too_many_rows', { limit: 1_048_576 })).toBe(
    'Filen har fler än 1\u00a0048\u00a0576 rader. Dela upp den i mindre filer.',
  )
  const phones = { code: 'import.phones', text: 'phone numbers' }
  expect(swedish('import.looks_like_values', { values: phones })).toBe('Ser ut som telefonnummer')
  const field = { code: 'import.phone', text: 'Phone' }
  expect(swedish('import.one_field_twice', { field, first: 'Phone', second: 'Mobil' })).toBe(
    'Både ”Phone” och ”Mobil” är kopplade till Telefon. Välj ett annat fält för en av dem.',
  )
})

test('lists are joined in Swedish', () => {
  expect(swedish('import.several_other_sheets', { read: 'A', left_out: ['B and C', 'D', 'E'] })).toBe(
    'Bara bladet ”A” läses. Bladen ”B and C”, ”D” och ”E” tas inte med.',
  )
  expect(swedish('import.have_no_header', { names: ['A', 'B', 'C', 'D', 1_200] })).toBe(
    '”A”, ”B”, ”C”, ”D” och 1\u00a0200 till har värden men ingen rubrik.',
  )
  const fields = [
    { code: 'vehicles.costs', text: 'Costs' },
    { code: 'vehicles.purchase_price', text: 'Price' },
  ]
  expect(swedish('fields_not_allowed', { fields })).toMatch(/ se eller ändra ”Kostnader” och ”Inköpspris”,/)
  const columns = [2, 4].map(number => ({ code: 'import.column', parameters: { number }, text: 'English' }))
  expect(swedish('import.have_no_header', { names: columns })).toBe(
    '”Kolumn 2” och ”Kolumn 4” har värden men ingen rubrik.',
  )
})

test('a parameter with special characters is shown as it was typed', () => {
  for (const name of ['\\x41da', 'Ada \\u0041', '$&', '{header}', 'Ada {name} #'])
    expect(swedish('import.matches_header', { header: name })).toBe(`Stämmer med rubriken ”${name}”`)
})

test('an unknown code has no Swedish sentence', () => {
  for (const code of ['', 'unknown', 'toString']) expect(swedish(code)).toBeUndefined()
})

test('an English page shows the English sentence', () => {
  expect(textOf({ code: 'session_ended', text: 'English' })).toBe('English')
  expect(count(1_048_576)).toBe('1,048,576')
})

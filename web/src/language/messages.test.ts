import { readdirSync, readFileSync } from 'node:fs'
import { setupI18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { sentencesIn, stringsOf, withoutTests } from '../../language/sources'
import { messages as core } from '../locales/sv/core.po'
import { patternOf } from './pattern'
import { messages, translator } from './swedish'

const folder = new URL('../../../core/src/', import.meta.url)
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.rs'))
  .map(name => ({ name: `/${name}`, code: readFileSync(new URL(name, folder), 'utf8') }))

const file = new URL('../../language/templates.txt', import.meta.url)
const templates = sentencesIn('templates.txt', readFileSync(file, 'utf8'))

const said = translator(setupI18n({ locale: 'sv', locales: 'sv-SE', messages: { sv: messages } }))

test('every message of core has a translation', () => {
  const sentences = sources.flatMap(({ name, code }) => sentencesIn(name, code))
  expect(sentences.length).toBeGreaterThan(300)
  expect(sentences.filter(sentence => !(sentence in core))).toEqual([])
})

/** Strings that are no messages: folded letters, links, and the name of an unnamed column, which is data. */
const NO_SENTENCE = /^(?:&.*|https?:\/\/|ss|ae|Column )$/

test('every message with values has a translation', () => {
  const known = Object.keys(core)
  const made = sources
    .filter(({ name }) => /\/text(\/mod)?\.rs$/.test(name))
    .flatMap(({ code }) => stringsOf(withoutTests(code)))
    .flatMap(text => text.split(/\{[^}" ]*\}/))
    .filter(part => /[a-z]{2}/i.test(part) && !NO_SENTENCE.test(part))
  expect(made.length).toBeGreaterThan(300)
  const isKnown = (part: string) => known.some(id => id.includes(part.trim()))
  expect(made.filter(part => !isKnown(part))).toEqual([])
})

test.each(templates)('“%s” is recognized and translated with its values', template => {
  const value = (_: string, name: string) => (name.startsWith('number') ? '7' : 'Åsa “and” Bo')
  const filled = template.replace(/\{([a-zA-Z]+)\}/g, value)
  const places = Object.fromEntries((patternOf(template)?.places ?? []).map(name => [name, value('', name)]))
  const i18n = setupI18n({ locale: 'sv', messages: { sv: messages } })
  expect(said(filled)).toBe(i18n._(template, places))
})

test('translates words, formats numbers, and keeps names', () => {
  expect(said('This file has more than 1,048,576 rows. Split it into smaller files.')).toBe(
    'Filen har fler än 1\u00a0048\u00a0576 rader. Dela upp den i mindre filer.',
  )
  expect(said('Looks like phone numbers')).toBe('Ser ut som telefonnummer')
  expect(said('Both “Phone” and “Mobil” are mapped to Phone. Choose another field for one of them.')).toBe(
    'Både ”Phone” och ”Mobil” är kopplade till Telefon. Välj ett annat fält för en av dem.',
  )
})

test('joins lists in Swedish', () => {
  expect(said('Only the sheet “A” is read. The sheets “B and C”, “D” and “E” are left out.')).toBe(
    'Bara bladet ”A” läses. Bladen “B and C”, “D” och “E” tas inte med.',
  )
  expect(said('“A”, “B”, “C”, “D” and 1,200 more have values but no header.')).toBe(
    '“A”, “B”, “C”, “D” och 1\u00a0200 till har värden men ingen rubrik.',
  )
})

test('other texts are unchanged', () => {
  expect(said('Minimum length is long')).toBe('Minimum length is long')
  expect(said('toString')).toBe('toString')
})

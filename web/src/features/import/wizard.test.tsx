import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  button,
  drop,
  fileOf,
  mapped,
  mayImport,
  onlyHiddenSheets,
  people,
  select,
  wizard,
} from '~/test/importing'
import { network } from '~/test/network'

beforeEach(mayImport)
afterEach(() => page.viewport(1280, 800))

test('a file is read at once, and what it was taken for is shown', async () => {
  await wizard()
  drop(people(100))
  await expect.element(page.getByText('people.csv')).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Delimiter' })).toHaveTextContent('Semicolon')
  await expect.element(page.getByRole('combobox', { name: 'Encoding' })).toHaveTextContent('Unicode (UTF-8)')
  await expect.element(page.getByRole('combobox', { name: 'Column names' })).toHaveTextContent('Row 1')
  await expect.element(page.getByRole('cell', { name: 'Person 1', exact: true })).toBeVisible()
})

test.each([360, 768, 1440])('nothing gives way to the rows of a file, in a window of %d px', async width => {
  await page.viewport(width, 800)
  await wizard()
  const places = () =>
    [
      page.getByText('Drop a file anywhere on this page'),
      page.getByText('CSV or Excel:', { exact: false }),
      page.getByRole('link', { name: 'Cancel' }),
      button('Next'),
    ].map(each => {
      const { x, y } = each.element().getBoundingClientRect()
      return [x, y]
    })
  const before = places()
  drop(people(100))
  await expect.element(page.getByRole('cell', { name: 'Person 1', exact: true })).toBeInTheDocument()
  expect(places()).toEqual(before)
})

test('what is no spreadsheet is refused with a sentence, and another file takes its place', async () => {
  await wizard()
  drop(fileOf('brochure.csv', '%PDF-1.7 a brochure'))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent(/^Failed to preview import file ?This is a PDF document, not a spreadsheet\./)
  await expect.element(button('Next')).toHaveAttribute('aria-disabled', 'true')
  drop(people(10))
  await expect.element(page.getByText('people.csv')).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
})

test('offers the other sheets of a workbook whose sheet cannot be imported', async () => {
  await wizard()
  drop(await onlyHiddenSheets())
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('All visible sheets of this workbook are empty.')
  await select('Sheet', 'Back (hidden)')
  await expect.element(page.getByRole('cell', { name: 'Ada' })).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
})

test('another encoding, delimiter and header change the table at once', async () => {
  await wizard()
  // "Företag;Ort" and "Åsa,Malmö", written by an old Macintosh.
  const bytes = [...'F\x9Aretag;Ort\nVolvo,Bil;G\x9Ateborg\n'].map(c => c.charCodeAt(0))
  drop(fileOf('gamla.csv', new Uint8Array(bytes)))
  await expect.element(page.getByRole('combobox', { name: 'Encoding' })).toBeVisible()
  await select('Encoding', 'Western European (Macintosh)')
  await expect.element(page.getByRole('cell', { name: 'Göteborg' })).toBeVisible()
  await select('Encoding', 'Western European (Windows)')
  await expect.element(page.getByRole('cell', { name: 'Gšteborg' })).toBeVisible()
  await select('Delimiter', 'Comma')
  await expect.element(page.getByRole('cell', { name: 'Bil;Gšteborg' })).toBeVisible()
  await select('Column names', 'None')
  await expect.element(page.getByRole('columnheader', { name: 'Column 1' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Fšretag;Ort' })).toBeVisible()
})

test('each column says what it becomes, why, and how sure that is', async () => {
  await mapped(people(100))
  await expect.element(page.getByRole('combobox', { name: 'Field for “E-post”' })).toHaveTextContent('Email')
  await expect.element(page.getByText('Sure Matches the header “E-post”')).toBeVisible()
  await expect.element(page.getByText('No field matches', { exact: false })).toBeVisible()
  await expect.element(page.getByText('90 will be imported, 10 left out', { exact: true })).toBeVisible()
  await expect.element(page.getByText('100 rows checked')).toBeVisible()
})

test('below the mapping the first rows stand under what each column becomes', async () => {
  await mapped(people(100))
  const preview = page.getByRole('region', { name: 'First rows', exact: true })
  await expect.element(preview.getByRole('columnheader', { name: 'E-post Email' })).toBeVisible()
  await expect.element(preview.getByRole('cell').first()).toBeVisible()
  await select('Field for “E-post”', 'Do not import')
  await expect.element(preview.getByRole('columnheader', { name: 'E-post Do not import' })).toBeVisible()
})

test('two columns for one field are told where the mistake was made, and nothing can be sent', async () => {
  await mapped(people(10))
  await select('Field for “Stad”', 'Phone')
  const mistake = page.getByText('Both “Telefon” and “Stad” are mapped to Phone.', { exact: false })
  await expect.element(mistake.last()).toBeVisible()
  await button('Import Contacts').click()
  await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
  await select('Field for “Stad”', 'Do not import')
  await expect.element(page.getByText('9 will be imported, 1 left out', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Chosen by you')).toBeVisible()
})

test('a mapping is remembered from an earlier import, and can be undone', async () => {
  const mapping = ['name', 'email', 'phone', 'address'].map((modelColumn, index) => ({
    fileColumn: ['Name', 'E-post', 'Telefon', 'Stad'][index],
    modelColumn,
  }))
  network.on('GET /api/contacts/import/mapping', () => ({
    body: { success: true, mapping, importedAt: '2026-11-12T09:30:00Z' },
  }))
  await mapped(people(10))
  const town = page.getByRole('combobox', { name: 'Field for “Stad”' })
  await expect.element(town).toHaveTextContent('Address')
  await expect.element(page.getByText(/^Mapped as in your import on .*2026/)).toBeVisible()
  await button('Undo').click()
  await expect.element(town).toHaveTextContent('Other details')
  await button('Use that mapping').click()
  await expect.element(town).toHaveTextContent('Address')
  const asked = network.calls('/api/contacts/import/mapping')[0]
  expect(asked?.query.get('headers')).toMatch(/^[0-9a-f]{16}$/)
})

test('later ones of the same person are imported or left out, as one chooses', async () => {
  await mapped(fileOf('twice.csv', 'Name,Email\nAda,ada@nordbil.example\nAda,ADA@nordbil.example\n'))
  await expect.element(page.getByText('2 will be imported', { exact: true })).toBeVisible()
  await button('View duplicates').click()
  await expect.element(page.getByText('Row 3 repeats row 2')).toBeVisible()
  await button('Close panel').click()
  await select('Duplicate handling', 'Leave out duplicates')
  await expect.element(page.getByText('1 will be imported, 1 left out', { exact: true })).toBeVisible()
  await expect.element(page.getByText('This row repeats row 2').last()).toBeVisible()
})

test('the first file is forgotten when another one is chosen while it is still checked', async () => {
  await mapped(people(60_000))
  drop(people(10))
  await button('Next').click()
  await expect.element(page.getByText('9 will be imported, 1 left out', { exact: true })).toBeVisible()
})

test('Back keeps everything', async () => {
  await mapped(people(10))
  await select('Field for “Stad”', 'Address')
  await button('Back').click()
  await button('Next').click()
  await expect.element(page.getByRole('combobox', { name: 'Field for “Stad”' })).toHaveTextContent('Address')
})

test('several hundred columns are drawn where one looks', async () => {
  const names = Array.from({ length: 500 }, (_, column) => `Field ${column + 1}`)
  await mapped(fileOf('wide.csv', `Name,${names.join(',')}\nAda${',x'.repeat(500)}\n`))
  await expect.element(page.getByText('1 will be imported', { exact: true })).toBeVisible()
  expect(page.getByRole('combobox').elements().length).toBeLessThan(40)
})

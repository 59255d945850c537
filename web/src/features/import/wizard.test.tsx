import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  buttonNamed,
  createFile,
  dropFile,
  openMappingStep,
  openWizard,
  peopleFile,
  selectOption,
  signInForImport,
  workbookOfContacts,
  workbookWithHiddenSheet,
} from '~/test/importing'
import { network } from '~/test/network'
import { expectAlert } from '~/test/open'

beforeEach(signInForImport)
afterEach(() => page.viewport(1280, 800))

test('opening a file shows its detected format and first rows', async () => {
  await openWizard()
  dropFile(peopleFile(100))
  await expect.element(page.getByText('people.csv', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Delimiter' })).toHaveTextContent('Semicolon')
  await expect.element(page.getByRole('combobox', { name: 'Encoding' })).toHaveTextContent('Unicode (UTF-8)')
  await expect.element(page.getByRole('combobox', { name: 'Column names' })).toHaveTextContent('Row 1')
  await expect.element(page.getByRole('cell', { name: 'Person 1', exact: true })).toBeVisible()
})

test('a chosen file is announced with its numbers of rows and columns', async () => {
  await openWizard()
  const said = page.getByRole('status').filter({ hasText: 'people.csv: 100 rows, 4 columns' })
  dropFile(peopleFile(100))
  await expect.element(said).toBeInTheDocument()
})

test('the number of columns does not include the one that joins first and last names', async () => {
  await openWizard()
  dropFile(createFile('people.csv', 'First name,Last name,Email\nAda,Lind,ada@nordbil.example\n'))
  await expect
    .element(page.getByRole('columnheader', { name: 'First name + Last name', exact: true }))
    .toBeVisible()
  await expect.element(page.getByText(/ · 3 columns$/)).toBeVisible()
  const said = page.getByRole('status').filter({ hasText: 'people.csv: 1 row, 3 columns' })
  await expect.element(said).toBeInTheDocument()
})

test.each([360, 768, 1440])(
  'nothing moves when the first rows of a file appear in a window of %d px',
  async width => {
    await page.viewport(width, 800)
    await openWizard()
    const places = () =>
      [
        page.getByText('Drop a file anywhere on this page'),
        page.getByText('CSV or Excel:', { exact: false }),
        page.getByRole('link', { name: 'Cancel' }),
        buttonNamed('Next'),
      ].map(each => {
        const { x, y } = each.element().getBoundingClientRect()
        return [x, y]
      })
    const before = places()
    dropFile(peopleFile(100))
    await expect.element(page.getByRole('cell', { name: 'Person 1', exact: true })).toBeInTheDocument()
    expect(places()).toEqual(before)
  },
)

test('a file that is no spreadsheet shows an error, and another can be chosen', async () => {
  await openWizard()
  dropFile(createFile('brochure.csv', '%PDF-1.7 a brochure'))
  await expectAlert(/^Failed to preview import file ?This is a PDF document, not a spreadsheet\./)
  await expect.element(buttonNamed('Next')).toHaveAttribute('aria-disabled', 'true')
  dropFile(peopleFile(10))
  await expect.element(page.getByText('people.csv', { exact: true })).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
})

test('offers the other sheets of a workbook whose sheet cannot be imported', async () => {
  await openWizard()
  dropFile(await workbookWithHiddenSheet())
  await expectAlert('All visible sheets of this workbook are empty.')
  await selectOption('Sheet', 'Back (hidden)')
  await expect.element(page.getByRole('cell', { name: 'Ada' })).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
})

test('changing encoding, delimiter or header updates the table', async () => {
  await openWizard()
  // "Företag;Ort" and "Volvo,Bil;Göteborg" in the encoding of classic Mac OS.
  const bytes = [...'F\x9Aretag;Ort\nVolvo,Bil;G\x9Ateborg\n'].map(c => c.charCodeAt(0))
  dropFile(createFile('gamla.csv', new Uint8Array(bytes)))
  await expect.element(page.getByRole('combobox', { name: 'Encoding' })).toBeVisible()
  await selectOption('Encoding', 'Western European (Macintosh)')
  await expect.element(page.getByRole('cell', { name: 'Göteborg' })).toBeVisible()
  await selectOption('Encoding', 'Western European (Windows)')
  await expect.element(page.getByRole('cell', { name: 'Gšteborg' })).toBeVisible()
  await selectOption('Delimiter', 'Comma')
  await expect.element(page.getByRole('cell', { name: 'Bil;Gšteborg' })).toBeVisible()
  await selectOption('Column names', 'None')
  await expect.element(page.getByRole('columnheader', { name: 'Column 1' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'Fšretag;Ort' })).toBeVisible()
})

test('each column shows its field, the reason, and the confidence', async () => {
  await openMappingStep(peopleFile(100))
  await expect.element(page.getByRole('combobox', { name: 'Field for “E-post”' })).toHaveTextContent('Email')
  await expect.element(page.getByText('Sure Matches the header “E-post”')).toBeVisible()
  await expect.element(page.getByText('No field matches', { exact: false })).toBeVisible()
  await expect.element(page.getByText('90 will be imported, 10 will not', { exact: true })).toBeVisible()
  await expect.element(page.getByText('100 rows checked')).toBeVisible()
})

test('the first rows are shown in columns headed by their mapped fields', async () => {
  await openMappingStep(peopleFile(100))
  const preview = page.getByRole('region', { name: 'First rows', exact: true })
  await expect.element(preview.getByRole('columnheader', { name: 'E-post Email' })).toBeVisible()
  await expect.element(preview.getByRole('cell').first()).toBeVisible()
  await selectOption('Field for “E-post”', 'Do not import')
  await expect.element(preview.getByRole('columnheader', { name: 'E-post Do not import' })).toBeVisible()
})

test('two columns for one field show an error at the column and prevent sending', async () => {
  // Spies on uploads, which use XMLHttpRequest.
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send')
  await openMappingStep(peopleFile(10))
  await selectOption('Field for “Stad”', 'Phone')
  const mistake = page.getByText('Both “Telefon” and “Stad” are mapped to Phone.', { exact: false })
  await expect.element(mistake.last()).toBeVisible()
  const choice = page.getByRole('combobox', { name: 'Field for “Stad”' })
  await expect.element(choice).toHaveAttribute('aria-invalid', 'true')
  await expect.element(choice).toHaveAccessibleDescription(/^Both “Telefon” and “Stad” are mapped to Phone\./)
  // Only the notice above the columns announces it.
  await expectAlert(/^Both “Telefon” and “Stad”/)
  expect(mistake.last().element().closest('[aria-live]')).toBeNull()
  await buttonNamed('Import Contacts').click()
  await expect.element(choice).toHaveFocus()
  await selectOption('Field for “Stad”', 'Do not import')
  await expect.element(page.getByText('9 will be imported, 1 will not', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Chosen by you')).toBeVisible()
  expect(send).not.toHaveBeenCalled()
})

test('an import without a column for the name focuses the error that says so', async () => {
  await openMappingStep(peopleFile(10))
  await selectOption('Field for “Name”', 'Do not import')
  const error = 'Please choose the column with the name, because every contact needs one'
  await expectAlert(error)
  await buttonNamed('Import Contacts').click()
  await expect.poll(() => document.activeElement?.textContent).toBe(error)
})

test('the second click of a double click does not start the import', async () => {
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send')
  await openMappingStep(peopleFile(10))
  await expect.element(page.getByText('9 will be imported, 1 will not', { exact: true })).toBeVisible()
  const start = buttonNamed('Import Contacts').element()
  start.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
  await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
  expect(send).not.toHaveBeenCalled()
})

test('the mapping of an earlier import is used, and the user can switch back to the detected one', async () => {
  const mapping = ['name', 'email', 'phone', 'address'].map((modelColumn, index) => ({
    fileColumn: ['Name', 'E-post', 'Telefon', 'Stad'][index],
    modelColumn,
  }))
  network.on('GET /api/contacts/import/mapping', () => ({
    body: { success: true, mapping, importedAt: '2026-11-12T09:30:00Z' },
  }))
  await openMappingStep(peopleFile(10))
  const town = page.getByRole('combobox', { name: 'Field for “Stad”' })
  await expect.element(town).toHaveTextContent('Address')
  await expect.element(page.getByText(/^Mapped as in your import on .*2026/)).toBeVisible()
  await buttonNamed('Undo').click()
  await expect.element(town).toHaveTextContent('Other details')
  await buttonNamed('Use that mapping').click()
  await expect.element(town).toHaveTextContent('Address')
  const asked = network.requests('/api/contacts/import/mapping')[0]
  expect(asked?.query.get('headers')).toMatch(/^[0-9a-f]{16}$/)
})

test('duplicates are imported or left out as the user chooses', async () => {
  await openMappingStep(
    createFile('twice.csv', 'Name,Email\nAda,ada@nordbil.example\nAda,ADA@nordbil.example\n'),
  )
  await expect.element(page.getByText('2 will be imported', { exact: true })).toBeVisible()
  await buttonNamed('View duplicates').click()
  await expect.element(page.getByText('Row 3 repeats row 2')).toBeVisible()
  await expect.element(page.getByText('Ada · ADA@nordbil.example', { exact: true })).toBeVisible()
  await buttonNamed('Close panel').click()
  await selectOption('Duplicate handling', 'Leave out duplicates')
  await expect.element(page.getByText('1 will be imported, 1 will not', { exact: true })).toBeVisible()
  await expect.element(page.getByText('This row repeats an earlier row').last()).toBeVisible()
})

test('the figures of a check add up to the rows of the file, of which duplicates are a part', async () => {
  const lines = ['Name,Email', 'Ada,ada@nordbil.example', 'Ada,ADA@nordbil.example', 'Bo,no', 'Cy,no']
  await openMappingStep(createFile('four.csv', lines.join('\n')))
  await buttonNamed('Leave out row 5').click()
  const results = page.getByRole('region', { name: 'Check results' })
  const figures = () =>
    results
      .getByRole('definition')
      .elements()
      .map(each => each.textContent)
  await expect.element(results.getByText('of 4 rows', { exact: true })).toBeVisible()
  await expect
    .poll(figures)
    .toEqual([
      '2of 4 rows',
      '1View problems',
      '11 row left out',
      expect.stringMatching(/^1Among the ready rows/),
    ])
  await selectOption('Duplicate handling', 'Leave out duplicates')
  await expect
    .poll(figures)
    .toEqual([
      '1of 4 rows',
      '2View problems',
      '11 row left out',
      expect.stringMatching(/^1Among the rows with problems/),
    ])
})

test('at phone width the choice of what happens to duplicates is not cut', async () => {
  await page.viewport(360, 740)
  await openMappingStep(
    createFile('twice.csv', 'Name,Email\nAda,ada@nordbil.example\nAda,ADA@nordbil.example\n'),
  )
  const choice = page.getByRole('combobox', { name: 'Duplicate handling' })
  await expect.element(choice).toHaveTextContent('Import duplicates too')
  const text = choice.element().querySelector('.truncate')
  expect(text?.scrollWidth).toBe(text?.clientWidth)
})

test('choosing another file while the first is checked discards the first', async () => {
  await openMappingStep(peopleFile(60_000))
  dropFile(peopleFile(10))
  await buttonNamed('Next').click()
  await expect.element(page.getByText('9 will be imported, 1 will not', { exact: true })).toBeVisible()
})

test('Back keeps the mapping', async () => {
  await openMappingStep(peopleFile(10))
  await selectOption('Field for “Stad”', 'Address')
  await buttonNamed('Back').click()
  await buttonNamed('Next').click()
  await expect.element(page.getByRole('combobox', { name: 'Field for “Stad”' })).toHaveTextContent('Address')
})

test('returning to a delimiter and to column names restores the corrections', async () => {
  await openMappingStep(peopleFile(20))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('one@bulk.example{Enter}')
  await expect.element(page.getByText('19 will be imported, 1 will not', { exact: true })).toBeVisible()
  await buttonNamed('Back').click()
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true })
  for (const [label, other, otherName, own] of [
    ['Delimiter', 'Comma', 'Name;E-post;Telefon;Stad', 'Semicolon'],
    ['Column names', 'None', 'Column 1', 'Row 1'],
  ] as const) {
    await selectOption(label, other)
    await expect.element(header(otherName)).toBeVisible()
    await selectOption(label, own)
    await expect.element(header('E-post')).toBeVisible()
  }
  await buttonNamed('Next').click()
  await expect.element(page.getByText('19 will be imported, 1 will not', { exact: true })).toBeVisible()
})

test('the corrections of a sheet apply to no other sheet, and return with it', async () => {
  await openMappingStep(await workbookOfContacts())
  await buttonNamed('Leave out row 8').click()
  const summary = buttonNamed('1 row left out')
  await expect.element(summary).toBeVisible()
  await buttonNamed('Back').click()
  await selectOption('Sheet', 'Listor (hidden)')
  await expect.element(page.getByRole('cell', { name: 'these', exact: true })).toBeVisible()
  await buttonNamed('Next').click()
  await selectOption('Field for “Hidden”', 'Name')
  await expect.element(page.getByText('1 will be imported', { exact: true })).toBeVisible()
  expect(summary.elements()).toHaveLength(0)
  await buttonNamed('Back').click()
  await selectOption('Sheet', 'Kontakter')
  await expect.element(page.getByRole('cell', { name: 'Björn Ek', exact: true })).toBeVisible()
  await buttonNamed('Next').click()
  await expect.element(summary).toBeVisible()
})

test("the browser's Back leads from the mapping to the chosen file", async () => {
  const app = await openMappingStep(peopleFile(10))
  void app.go(-1)
  await expect.element(buttonNamed('Choose another file')).toBeVisible()
  await expect.element(page.getByText('people.csv', { exact: true })).toBeVisible()
  void app.go(1)
  await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
})

test('a list of several hundred columns is virtualized', async () => {
  const names = Array.from({ length: 500 }, (_, column) => `Field ${column + 1}`)
  await openMappingStep(createFile('wide.csv', `Name,${names.join(',')}\nAda${',x'.repeat(500)}\n`))
  await expect.element(page.getByText('1 will be imported', { exact: true })).toBeVisible()
  expect(page.getByRole('combobox').elements().length).toBeLessThan(40)
})

test('of several hundred columns, the first wrong one gets the focus, even if it is out of sight', async () => {
  const names = Array.from({ length: 500 }, (_, column) => `Field ${column + 1}`)
  await openMappingStep(createFile('wide.csv', `Name,${names.join(',')}\nAda${',x'.repeat(500)}\n`))
  await selectOption('Field for “Field 1”', 'Name')
  const wrong = page.getByRole('combobox', { name: 'Field for “Field 1”' })
  await expect.element(wrong).toHaveAttribute('aria-invalid', 'true')
  await expect.element(wrong).toHaveFocus()
  const list = page.getByRole('region', { name: 'Columns', exact: true }).element()
  list.scrollTo(0, list.scrollHeight)
  await expect.element(page.getByRole('combobox', { name: 'Field for “Field 500”' })).toBeVisible()
  await buttonNamed('Import Contacts').click()
  await expect.element(wrong).toHaveFocus()
  await expect.element(wrong).toBeInViewport()
})

import { beforeEach, expect, onTestFinished, test } from 'vitest'
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
} from '~/test/importing'
import { closeAll } from '~/test/open'
import { type Change, correctAlike, correctCell, leaveOut, replaceChanges, toCorrections } from './changes'

beforeEach(signInForImport)

const newValue = (row: number) => page.getByLabelText(`New value for row ${row}, E-post`)

test('Enter corrects a cell, edits the next one and starts a check', async () => {
  await openMappingStep(peopleFile(40))
  await expect.element(page.getByText('36 will be imported, 4 will not', { exact: true })).toBeVisible()
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('one@bulk.example{Enter}')
  await expect.element(newValue(21)).toHaveFocus()
  await userEvent.keyboard('two@bulk.example')
  // The result of the check arrives while the user types, and the input stays.
  await expect.element(page.getByText('37 will be imported, 3 will not', { exact: true })).toBeVisible()
  await expect.element(newValue(21)).toHaveFocus()
  await expect.element(newValue(21)).toHaveValue('two@bulk.example')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('38 will be imported, 2 will not', { exact: true })).toBeVisible()
})

test('the button that corrects an empty cell says so', async () => {
  const lines = ['Name;E-post', 'Ada;ada@bulk.example', ';bo@bulk.example']
  await openMappingStep(createFile('people.csv', lines.join('\n')))
  await expect.element(buttonNamed('Correct the empty cell in row 3, Name')).toBeVisible()
  const results = page.getByRole('region', { name: 'Check results' })
  await expect.element(results.getByText('Left out by hand')).toBeVisible()
})

test('the first rows show corrections and the rows that are left out', async () => {
  const lines = ['Name;E-post', '', 'Ada;broken', 'Bo;no']
  await openMappingStep(createFile('people.csv', lines.join('\n')))
  const cell = (name: string) =>
    page.getByRole('region', { name: 'First rows', exact: true }).getByRole('cell', { name, exact: true })
  await buttonNamed('Correct “broken” in row 3, E-post').click()
  await userEvent.keyboard('ada@bulk.example{Enter}')
  await expect.element(cell('ada@bulk.example Corrected')).toBeVisible()
  await expect.element(cell('broken')).not.toBeInTheDocument()
  await buttonNamed('Leave out row 4').click()
  await expect.element(cell('Bo Left out')).toHaveClass('line-through')
  await expect.element(cell('no')).toHaveClass('line-through')
  await expect.element(cell('Ada')).not.toHaveClass('line-through')
  await buttonNamed('1 correction, 1 row left out').click()
  await buttonNamed('Undo: Row 4').click()
  await buttonNamed('Close panel').click()
  await expect.element(cell('Bo')).not.toHaveClass('line-through')
})

test('in a low window, the row that is edited next is neither below the header nor the footer', async () => {
  await openMappingStep(peopleFile(40))
  await page.viewport(360, 400)
  onTestFinished(() => page.viewport(1280, 800))
  const list = page.getByRole('region', { name: 'Problems', exact: true })
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  // The top of the list is below the header.
  scrollBy(0, list.element().getBoundingClientRect().top + 60)
  list.element().scrollTop = 60
  await userEvent.keyboard('one@bulk.example{Enter}')
  await expect.element(newValue(21)).toHaveFocus()
  const header = document.querySelector('header')?.getBoundingClientRect()
  const footer = document.querySelector('.bottom-bar')?.getBoundingClientRect()
  const input = () => newValue(21).element()
  const top = () => list.getByText('Row 21', { exact: true }).element().getBoundingClientRect().top
  await expect.poll(top).toBeGreaterThanOrEqual(header?.bottom ?? Number.NaN)
  await expect.element(page.getByText('37 will be imported, 3 will not', { exact: true })).toBeVisible()
  await expect.poll(top).toBeGreaterThanOrEqual(header?.bottom ?? Number.NaN)
  expect(input().getBoundingClientRect().bottom).toBeLessThanOrEqual(footer?.top ?? Number.NaN)
})

test('in a low window, what is scrolled into view is above the whole footer', async () => {
  await openMappingStep(peopleFile(40))
  await page.viewport(360, 400)
  onTestFinished(() => page.viewport(1280, 800))
  scrollTo(0, 0)
  const cell = buttonNamed('Correct “broken” in row 11, E-post').element()
  const footer = () => document.querySelector('.bottom-bar')?.getBoundingClientRect().top ?? Number.NaN
  // Polled, because the footer gets its height for this width after the window.
  await expect
    .poll(() => {
      cell.scrollIntoView({ block: 'nearest' })
      return footer() - cell.getBoundingClientRect().bottom
    })
    .toBeGreaterThanOrEqual(0)
})

test('Escape cancels the edit and focuses the cell', async () => {
  await openMappingStep(peopleFile(20))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('half{Escape}')
  await expect.element(buttonNamed('Correct “broken” in row 11, E-post')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(buttonNamed('Correct “broken” in row 21, E-post')).toHaveFocus()
})

test('clicking another cell keeps the typed correction', async () => {
  await openMappingStep(peopleFile(40))
  await expect.element(page.getByText('36 will be imported, 4 will not', { exact: true })).toBeVisible()
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('one@bulk.example')
  await buttonNamed('Correct “broken” in row 21, E-post').click()
  await expect.element(newValue(21)).toHaveFocus()
  await expect.element(page.getByText('37 will be imported, 3 will not', { exact: true })).toBeVisible()
})

test.each([/^E-post: Please enter a valid email address/, 'Import Contacts'])(
  'pressing the button %s keeps the typed correction, which is checked first',
  async button => {
    await openMappingStep(peopleFile(40))
    await expect.element(page.getByText('36 will be imported, 4 will not', { exact: true })).toBeVisible()
    await buttonNamed('Correct “broken” in row 11, E-post').click()
    await userEvent.keyboard('one@bulk.example')
    await buttonNamed(button).click()
    await expect.element(page.getByText('37 will be imported, 3 will not', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
  },
)

test('leaving out the row that is being edited discards the typed value', async () => {
  await openMappingStep(peopleFile(40))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('half')
  await buttonNamed('Leave out row 11').click()
  await page.getByRole('heading', { name: 'Map Columns' }).click()
  await expect.element(page.getByRole('button', { name: '1 row left out', exact: true })).toBeVisible()
})

const notAnEmail = /^Please enter a valid email address/

test('what is wrong with a cell describes the button that corrects it, and the input', async () => {
  await openMappingStep(peopleFile(20))
  const button = buttonNamed('Correct “broken” in row 11, E-post')
  await expect.element(button).toHaveAccessibleDescription(notAnEmail)
  await button.click()
  await expect.element(newValue(11)).toHaveAccessibleDescription(notAnEmail)
  await expect.element(newValue(11)).toHaveAccessibleDescription(/Enter saves/)
  await expect.element(newValue(11)).toHaveAttribute('aria-invalid', 'true')
  // What is typed is not checked yet.
  await userEvent.keyboard('one@bulk.example')
  await expect.element(newValue(11)).not.toHaveAttribute('aria-invalid')
})

const stillWrong = (row: number) =>
  page.getByText(`Row ${row}, E-post is still wrong: Please enter a valid email`)

test('a corrected cell that the check finds wrong again is announced, until it is right', async () => {
  await openMappingStep(peopleFile(20))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('bo@x{Enter}')
  await expect.element(newValue(21)).toHaveFocus()
  await expect.element(stillWrong(11)).toBeInTheDocument()
  await userEvent.keyboard('worse{Enter}')
  await expect.element(stillWrong(21)).toBeInTheDocument()
  await buttonNamed('Correct “worse” in row 21, E-post').click()
  await userEvent.keyboard('two@bulk.example{Enter}')
  await expect.element(stillWrong(11)).toBeInTheDocument()
})

test('matching cells that the check finds wrong again are announced', async () => {
  await openMappingStep(peopleFile(20))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('worse')
  await buttonNamed('Correct all 2 matching cells').click()
  await expect.element(stillWrong(11)).toBeInTheDocument()
})

test("the other cells of a problem's row are separated by spaces", async () => {
  await openMappingStep(peopleFile(20))
  const row = page.getByRole('listitem').filter({ hasText: 'Row 11' })
  await expect.element(row).toHaveTextContent('Name: Person 10 Telefon: +46 70 10 Stad: Malmö')
})

test('a correction that is still invalid stays in the list with its new value', async () => {
  await openMappingStep(peopleFile(20))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('worse{Enter}')
  await expect.element(buttonNamed('Correct “worse” in row 11, E-post')).toBeVisible()
  await expect.element(page.getByText('18 will be imported, 2 will not', { exact: true })).toBeVisible()
})

test('all matching cells can be corrected at once, and undone', async () => {
  await openMappingStep(peopleFile(200))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('info@bulk.example')
  await buttonNamed('Correct all 20 matching cells').click()
  await expect.element(page.getByText('200 will be imported', { exact: true })).toBeVisible()
  expect(page.getByRole('heading', { name: /problems? in/ }).elements()).toHaveLength(0)
  await buttonNamed('1 correction').click()
  await expect.element(page.getByText('20 cells in E-post')).toBeVisible()
  await buttonNamed('Undo: 20 cells in E-post').click()
  await buttonNamed('Close panel').click()
  await expect.element(page.getByText('180 will be imported, 20 will not', { exact: true })).toBeVisible()
})

test('the number of matching cells leaves out cells that have a correction of their own', async () => {
  await openMappingStep(peopleFile(200))
  await expect.element(page.getByText('180 will be imported, 20 will not', { exact: true })).toBeVisible()
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await expect.element(buttonNamed('Correct all 20 matching cells')).toBeVisible()
  await userEvent.keyboard('one@bulk.example{Enter}')
  // At once, before the correction is checked.
  await expect.element(buttonNamed('Correct all 19 matching cells')).toBeVisible()
  await expect.element(page.getByText('181 will be imported, 19 will not', { exact: true })).toBeVisible()
  await buttonNamed('Leave out row 31').click()
  await newValue(21).fill('info@bulk.example')
  await buttonNamed('Correct all 18 matching cells').click()
  await expect.element(page.getByText('199 will be imported, 1 will not', { exact: true })).toBeVisible()
  await buttonNamed('2 corrections, 1 row left out').click()
  await expect.element(page.getByText('18 cells in E-post')).toBeVisible()
})

test('on a tablet the button for all matching cells is not wider than its column', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(768, 1024)
  await openMappingStep(peopleFile(200))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  const button = buttonNamed('Correct all 20 matching cells')
  await expect.element(button).toBeVisible()
  const right = (element: Element | null) => element?.getBoundingClientRect().right ?? 0
  // Polled, because the columns get their widths when the viewport has its size.
  await expect
    .poll(() => right(button.element()) - right(button.element().closest('.min-w-0')))
    .toBeLessThanOrEqual(0)
})

test('one row, or all rows with one kind of problem, can be left out', async () => {
  await openMappingStep(peopleFile(100))
  await buttonNamed('Leave out row 11').click()
  await expect.element(page.getByRole('heading', { name: '9 problems in 9 rows' })).toBeVisible()
  await buttonNamed(/^E-post: Please enter a valid email address/).click()
  await buttonNamed('Leave out 9 rows').click()
  await expect.element(page.getByText('90 will be imported, 10 will not', { exact: true })).toBeVisible()
  await expect.poll(() => page.getByRole('heading', { name: /problems? in/ }).elements()).toHaveLength(0)
  await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toHaveFocus()
  await buttonNamed('10 rows left out').click()
  await expect.element(page.getByText('9 rows', { exact: true })).toBeVisible()
})

test('leaving out the last row of the list moves the focus to the list', async () => {
  await openMappingStep(peopleFile(40))
  await buttonNamed('Leave out row 41').click()
  await expect.element(page.getByRole('heading', { name: '3 problems in 3 rows' })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Problems', exact: true })).toHaveFocus()
})

test('corrections and left-out rows are counted separately', async () => {
  await openMappingStep(peopleFile(30))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('one@bulk.example{Enter}{Escape}')
  await buttonNamed('Leave out row 21').click()
  await buttonNamed('1 correction, 1 row left out').click()
  await expect.element(page.getByRole('dialog', { name: '1 correction, 1 row left out' })).toBeVisible()
})

test('a list of tens of thousands of problems is virtualized', async () => {
  const rows = Array.from({ length: 30_000 }, (_, row) => `Person ${row},broken`)
  await openMappingStep(createFile('broken.csv', ['Name,Email', ...rows].join('\n')))
  await expect.element(page.getByRole('heading', { name: '30,000 problems in 30,000 rows' })).toBeVisible()
  const list = page.getByRole('region', { name: 'Problems', exact: true })
  await expect.element(list.getByText('Row 2', { exact: true })).toBeVisible()
  list.element().scrollTo(0, list.element().scrollHeight)
  await expect.element(list.getByText('Row 30,001', { exact: true })).toBeVisible()
  expect(list.getByRole('listitem').elements().length).toBeLessThan(60)
})

test('the number of a late row stays on one line within its column', async () => {
  const rows = Array.from({ length: 12_028 }, (_, row) => `Person ${row},p${row}@bulk.example`)
  await openMappingStep(createFile('people.csv', ['Name,Email', ...rows, 'Ada,broken'].join('\n')))
  const number = page.getByText('Row 12,030', { exact: true })
  await expect.element(number).toBeVisible()
  const { clientHeight, scrollWidth, clientWidth } = number.element()
  expect(clientHeight).toBeLessThanOrEqual(Number.parseFloat(getComputedStyle(number.element()).lineHeight))
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})

test('a short list of problems is only as high as its rows', async () => {
  await openMappingStep(createFile('people.csv', 'Name,Email\nAda,broken\nBo,bo@bulk.example'))
  const list = page.getByRole('region', { name: 'Problems', exact: true })
  await expect.element(list.getByText('Row 2', { exact: true })).toBeVisible()
  await expect
    .poll(() => list.element().clientHeight - list.getByRole('listitem').element().clientHeight)
    .toBeLessThan(5)
})

test('choosing the same file again restores its corrections', async () => {
  await openMappingStep(peopleFile(20))
  await buttonNamed('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('one@bulk.example{Enter}')
  await selectOption('Field for “Stad”', 'Address')
  await expect.element(page.getByText('19 will be imported, 1 will not', { exact: true })).toBeVisible()
  // Simulate a reload, which keeps only the session storage.
  closeAll()
  await openWizard()
  await expect.element(page.getByText('Choose people.csv again to continue.', { exact: false })).toBeVisible()
  dropFile(peopleFile(20))
  await buttonNamed('Next').click()
  await expect.element(page.getByText('19 will be imported, 1 will not', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Field for “Stad”' })).toHaveTextContent('Address')
})

test('corrections that were undone do not come back with the file', async () => {
  await openMappingStep(peopleFile(20))
  await buttonNamed('Leave out row 11').click()
  await buttonNamed('1 row left out').click()
  await buttonNamed('Undo all').click()
  await expect.element(page.getByText('No corrections.', { exact: false })).toBeVisible()
  await buttonNamed('Close panel').click()
  // The button that opened the panel is gone.
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  // Simulate a reload, which keeps only the session storage.
  closeAll()
  await openWizard()
  expect(page.getByText('Choose people.csv again to continue.', { exact: false }).elements()).toHaveLength(0)
  dropFile(peopleFile(20))
  await buttonNamed('Next').click()
  await expect.element(page.getByText('18 will be imported, 2 will not', { exact: true })).toBeVisible()
  expect(buttonNamed('1 row left out').elements()).toHaveLength(0)
})

test('leaving with unsaved corrections asks for confirmation', async () => {
  const app = await openMappingStep(peopleFile(20))
  await buttonNamed('Leave out row 11').click()
  void app.visit('/dashboard/contacts/imports')
  await expect.element(page.getByRole('alertdialog', { name: 'Leave this import?' })).toBeVisible()
  await buttonNamed('Keep editing').click()
  await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
})

const why = { code: '', text: 'why' }

test('leaving out rows that are left out already changes nothing, so that no check starts', () => {
  const reading = { sheet: undefined, fileColumns: ['Email'] }
  const leavingOut = (rows: number[]) => (old: Change[]) => leaveOut(old, rows, why)
  const changes = replaceChanges([], reading, leavingOut([7, 8]))
  expect(replaceChanges(changes, reading, leavingOut([8, 7]))).toBe(changes)
  expect(replaceChanges(changes, reading, leavingOut([8, 9]))).toHaveLength(2)
})

test('the last correction of a cell replaces earlier ones; correcting all equal cells matches corrected values', () => {
  let changes = correctCell([], 2, 'Email', 'a', 'b')
  changes = correctCell(changes, 2, 'Email', 'b', 'c')
  expect(changes).toEqual([{ kind: 'cell', row: 2, fileColumn: 'Email', from: 'a', to: 'c' }])
  changes = correctAlike(changes, 'Email', 'c', 'd', 4)
  changes = correctAlike(changes, 'Email', 'd', 'e', 5)
  changes = leaveOut(leaveOut(changes, [7, 8], why), [8, 9], why)
  expect(toCorrections(changes, 'refuse')).toEqual({
    cells: [{ row: 2, fileColumn: 'Email', value: 'e' }],
    replacements: [
      { fileColumn: 'Email', from: 'c', to: 'e' },
      { fileColumn: 'Email', from: 'd', to: 'e' },
    ],
    leftOut: [7, 8, 9],
    duplicates: 'refuse',
  })
})

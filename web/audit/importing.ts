import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import {
  blockRequests,
  expectOpen,
  expectText,
  forgetShifts,
  open,
  openLoading,
  press,
  pressInRow,
  rejectRequests,
  state,
} from './steps'

const [imports, wizard] = ['/dashboard/contacts/imports', '/dashboard/contacts/imports/new']

/**
 * Returns a CSV file with `rows` rows. If `broken`, every fourth row has an invalid e-mail, and some rows have the
 * e-mail of the row before.
 */
function csv(rows: number, broken = true) {
  const lines = ['Name;E-post;Telefon;Stad']
  for (let row = 1; row <= rows; row++) {
    const email =
      broken && row % 4 === 0 ? 'broken' : `person-${row - (broken && row % 7 === 0 ? 1 : 0)}@bulk.example`
    lines.push(`Person ${row};${email};+46 70 174 06 ${row};Malmö`)
  }
  return { name: 'kunder.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
}

type File = Parameters<Page['setInputFiles']>[1]

/**
 * Returns a step that chooses a file. The layout shift that follows isn't counted, because the user's action causes it.
 */
const choose = (file: File) => async (page: Page) => {
  await page.getByLabel('Contacts file').setInputFiles(file)
  await page.locator('table, [role="alert"]').first().waitFor()
  await forgetShifts(page)
}

const next = async (page: Page) => {
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
}

const sample = (name: string) => join(import.meta.dirname, '../../core/tests/files', name)

/** The states of the import wizard, step by step. */
export const importStates = [
  state('Import, choose a file', open(wizard)),
  state(
    'Import, an unreadable file',
    open(wizard),
    choose({
      name: 'kunder.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('PK\u0003\u0004 and then nothing'),
    }),
    page => expect(page.getByRole('alert').first()).toBeVisible(),
  ),
  state('Import, a file is chosen', open(wizard), choose(csv(120)), expectText('Person 1')),
  state('Import, a workbook is chosen', open(wizard), choose(sample('kontakter.xlsx')), page =>
    expect(page.getByRole('button', { name: 'Next' })).toBeEnabled(),
  ),
  state('Import, map columns', open(wizard), choose(csv(120)), next, expectText(/120 rows checked/)),
  state(
    'Import, no problems found',
    open(wizard),
    choose(csv(40, false)),
    next,
    expectText(/40 rows checked/),
  ),
  state('Import, duplicates', open(wizard), choose(csv(120)), next, press('View duplicates'), expectOpen()),
  state(
    'Import, a field to choose',
    open(wizard),
    choose(csv(120)),
    next,
    // Opens the first column's select, so that the page isn't scrolled: axe would report a control half under the top
    // bar.
    press(/^Field for “Name”/, 'combobox'),
    expectOpen('listbox'),
  ),
  state('Import, correcting a cell', open(wizard), choose(csv(120)), next, press(/^Correct “/), page =>
    expect(page.getByRole('textbox').first()).toBeVisible(),
  ),
  state(
    'Import, refused',
    rejectRequests(/\/api\/contacts\/import(?:\/|$|\?)/),
    open(wizard),
    choose(csv(12, false)),
    next,
    press('Import Contacts'),
    page => expect(page.getByRole('alert').first()).toBeVisible(),
  ),
  state(
    'Import, finished',
    open(wizard),
    choose(csv(24)),
    next,
    press('Import Contacts'),
    expectText('Import completed'),
  ),
  state('Imports', open(imports)),
  state('Imports, loading', blockRequests(/\/api\/contacts\/imports/), openLoading(imports)),
  state(
    'Imports, failed',
    rejectRequests(/\/api\/contacts\/imports/),
    open(imports),
    expectText('Try Again'),
  ),
  state(
    'Contacts of an import',
    open(imports),
    pressInRow(/^View contacts from/),
    expectText(/Showing 1 to/),
  ),
]

import { expect } from 'vitest'
import { page } from 'vitest/browser'
import hidden from '../../../core/tests/files/only-hidden-sheets.xlsx?url'
import { network } from './network'
import { open, signedIn } from './open'

const WIZARD = '/dashboard/contacts/imports/new'

/** Signs in a user who can import, without earlier imports. */
export function mayImport() {
  signedIn()
  network.on('GET /api/contacts/import/mapping', () => ({ body: { success: true } }))
}

/** Returns a file. */
export const fileOf = (name: string, ...parts: BlobPart[]) =>
  new File(parts, name, { lastModified: 1_700_000_000_000 })

/** Drops a file on the page. */
export function drop(file: File) {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(file)
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}

/** Returns a CSV file of `rows` people. Every tenth has an invalid e-mail address. */
export function people(rows: number): File {
  const lines = ['Name;E-post;Telefon;Stad']
  for (let row = 1; row <= rows; row++)
    lines.push(`Person ${row};${row % 10 === 0 ? 'broken' : `p${row}@bulk.example`};+46 70 ${row};Malmö`)
  return fileOf('people.csv', lines.join('\n'))
}

/** A workbook whose visible sheet is empty. */
export const onlyHiddenSheets = async () => fileOf('hidden.xlsx', await (await fetch(hidden)).arrayBuffer())

export const button = (name: string | RegExp) => page.getByRole('button', { name })

/** Opens the import wizard. */
export async function wizard() {
  const app = open(WIZARD)
  await expect.element(button('Choose a file')).toBeVisible()
  return app
}

/** Opens the wizard at the mapping step of a file. */
export async function mapped(file: File) {
  const app = await wizard()
  drop(file)
  await expect.element(button('Next')).not.toHaveAttribute('aria-disabled')
  await button('Next').click()
  await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
  return app
}

/** Selects an option. */
export async function select(label: string, choice: string) {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: choice, exact: true }).click()
}

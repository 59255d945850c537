import { expect } from 'vitest'
import { page } from 'vitest/browser'
import contacts from '../../../core/tests/files/kontakter.xlsx?url'
import hidden from '../../../core/tests/files/only-hidden-sheets.xlsx?url'
import { network } from './network'
import { open, signInUser } from './open'

const WIZARD = '/dashboard/contacts/imports/new'

/** Signs in a user who may import contacts, and who has no earlier imports. */
export function signInForImport() {
  signInUser()
  network.on('GET /api/contacts/import/mapping', () => ({ body: { success: true } }))
}

/** Returns a file with this name and content. */
export const createFile = (name: string, ...parts: BlobPart[]) =>
  new File(parts, name, { lastModified: 1_700_000_000_000 })

/** Drops a file on the page, like a user with the mouse. */
export function dropFile(file: File) {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(file)
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}

/** Returns a CSV file of `rows` people. Every tenth has an invalid e-mail address. */
export function peopleFile(rows: number): File {
  const lines = ['Name;E-post;Telefon;Stad']
  for (let row = 1; row <= rows; row++)
    lines.push(`Person ${row};${row % 10 === 0 ? 'broken' : `p${row}@bulk.example`};+46 70 ${row};Malmö`)
  return createFile('people.csv', lines.join('\n'))
}

/** Returns a workbook whose visible sheet is empty and whose rows are on a hidden sheet. */
export const workbookWithHiddenSheet = async () =>
  createFile('hidden.xlsx', await (await fetch(hidden)).arrayBuffer())

/** Returns a workbook with a sheet of contacts, whose row 8 has a problem, and the hidden sheet “Listor”. */
export const workbookOfContacts = async () =>
  createFile('kontakter.xlsx', await (await fetch(contacts)).arrayBuffer())

export const buttonNamed = (name: string | RegExp) => page.getByRole('button', { name })

/** Opens the import wizard. */
export async function openWizard() {
  const app = open(WIZARD)
  await expect.element(buttonNamed('Choose a file')).toBeVisible()
  return app
}

/** Opens the wizard, chooses a file, and goes on to the mapping. */
export async function openMappingStep(file: File) {
  const app = await openWizard()
  dropFile(file)
  await expect.element(buttonNamed('Next')).not.toHaveAttribute('aria-disabled')
  await buttonNamed('Next').click()
  await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
  return app
}

/** Selects an option of the select with this label. */
export async function selectOption(label: string, choice: string) {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: choice, exact: true }).click()
}

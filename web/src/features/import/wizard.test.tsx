import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { network } from '~/test/network'
import { open, signedIn } from '~/test/open'

const WIZARD = '/dashboard/contacts/imports/new'

/** Drops a file on the page. */
function drop(name: string, text: string | Uint8Array<ArrayBuffer>, lastModified = 1_700_000_000_000) {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text], name, { lastModified }))
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}

/** So many people, every tenth with a broken address. */
function people(rows: number) {
  const lines = ['Name;E-post;Telefon;Stad']
  for (let row = 1; row <= rows; row++)
    lines.push(`Person ${row};${row % 10 === 0 ? 'broken' : `p${row}@bulk.example`};+46 70 ${row};Malmö`)
  return lines.join('\n')
}

const button = (name: string | RegExp) => page.getByRole('button', { name })

async function mapped(name: string, text: string) {
  open(WIZARD)
  await expect.element(button('Choose a file')).toBeVisible()
  drop(name, text)
  await expect.element(page.getByText('Text file', { exact: false })).toBeVisible()
  await button('Next').click()
  await expect.element(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
}

beforeEach(() => {
  signedIn()
  network.on('GET /api/contacts/import/mapping', () => ({ body: { success: true } }))
})

test('a file is read, checked and its problems are listed', async () => {
  await mapped('people.csv', people(100))
  await expect.element(button('Import 90 contacts, leave out 10')).toBeVisible()
  await expect.element(page.getByText('100 rows checked')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: '10 problems in 10 rows' })).toBeVisible()
  await expect.element(page.getByText('Row 11', { exact: true })).toBeVisible()
})

test('a cell is corrected by keyboard, and the check follows', async () => {
  await mapped('people.csv', people(30))
  await expect.element(button('Import 27 contacts, leave out 3')).toBeVisible()
  await button('Correct “broken” in row 11, E-post').click()
  await userEvent.keyboard('right@bulk.example{Enter}')
  await expect.element(page.getByLabelText('New value for row 21, E-post')).toHaveFocus()
  await expect.element(button('Import 28 contacts, leave out 2')).toBeVisible()
  await expect.element(page.getByLabelText('New value for row 21, E-post')).toHaveFocus()
})

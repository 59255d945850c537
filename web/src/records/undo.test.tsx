import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contact, serveContact, serveContactCount } from '~/test/contacts'
import { type ApiResponse, errorResponse, network } from '~/test/network'
import { closeAll, open, signInUser } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const RESTORE = '/api/trash/restore'
const undo = page.getByRole('button', { name: 'Undo' })
const restored = () => network.requests(RESTORE).map(({ body }) => body)
const serveRestore = () =>
  network.on(`POST ${RESTORE}`, () => {
    serveContactCount(3)
    return { body: { success: true, message: 'The record was restored', data: { count: 1 } } }
  })

/** Opens the list of contacts, and deletes one of them. */
async function deleteContact() {
  const app = open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Delete Person 3' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
  await expect.element(undo).toBeVisible()
  await expect.poll(() => page.getByRole('row', { name: 'Person 3' }).elements()).toHaveLength(0)
  return app
}

beforeEach(() => {
  signInUser()
  serveContactCount(3)
  network.on('DELETE /api/contacts/id-3', () => {
    serveContactCount(2)
    return { body: { success: true, message: 'Contact deleted successfully' } }
  })
  serveRestore()
})

test('Undo restores a deleted record, and the list shows it', async () => {
  await deleteContact()
  await undo.click()
  await expect.element(page.getByText('The record was restored')).toBeVisible()
  await expect.element(page.getByRole('row', { name: 'Person 3' })).toBeVisible()
  expect(restored()).toEqual([{ resource: 'contacts', ids: ['id-3'] }])
  await expect.poll(() => undo.elements()).toHaveLength(0)
  await expect.element(page.getByRole('button', { name: 'Delete Person 2' })).toHaveFocus()
})

test('Ctrl+Z undoes a deletion, but in a text field it undoes the typing', async () => {
  await deleteContact()
  const search = page.getByRole('searchbox')
  await search.click()
  await userEvent.keyboard('x{Control>}z{/Control}')
  // In a text field, Ctrl+Z undoes the typing instead of the deletion.
  await expect.element(search).toHaveValue('')
  expect(restored()).toEqual([])
  page.getByRole('region', { name: 'Contacts', exact: true }).element().focus()
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(page.getByRole('row', { name: 'Person 3' })).toBeVisible()
  expect(restored()).toHaveLength(1)
})

test('if Undo fails, the toast shows the error and Undo can be tried again', async () => {
  network.on(`POST ${RESTORE}`, () => errorResponse(503, 'The server is busy.'))
  await deleteContact()
  await undo.click()
  await expect.element(page.getByText('The server is busy.')).toBeVisible()
  serveRestore()
  await undo.click()
  await expect.element(page.getByRole('row', { name: 'Person 3' })).toBeVisible()
  expect(restored()).toHaveLength(2)
})

test('an Undo whose response was lost counts as done on the next attempt', async () => {
  network.on(`POST ${RESTORE}`, failNetwork)
  await deleteContact()
  await undo.click()
  await expect.poll(restored).toHaveLength(1)
  network.on(`POST ${RESTORE}`, () => {
    serveContactCount(3)
    return errorResponse(404, 'Not found.')
  })
  await expect.element(undo).toBeVisible()
  await undo.click()
  await expect.element(page.getByText('Restored', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('row', { name: 'Person 3' })).toBeVisible()
})

test('deleting again after a lost response counts as deleted and offers Undo', async () => {
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete contact' })
  network.on('DELETE /api/contacts/id-3', failNetwork)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Delete Person 3' }).click()
  await confirm.click()
  await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  network.on('DELETE /api/contacts/id-3', () => errorResponse(404, 'Not found. It may have been deleted.'))
  await confirm.click()
  await undo.click()
  await expect.element(page.getByText('The record was restored')).toBeVisible()
  expect(restored()).toEqual([{ resource: 'contacts', ids: ['id-3'] }])
})

test('deleting again after a lost response and Cancel counts as deleted', async () => {
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete contact' })
  const cancel = async () => {
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
  }
  network.on('DELETE /api/contacts/id-3', failNetwork)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Delete Person 3' }).click()
  await confirm.click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await cancel()
  // The lost response was that of Person 3. Person 2 was deleted by another user.
  for (const id of ['id-2', 'id-3'])
    network.on(`DELETE /api/contacts/${id}`, () => errorResponse(404, 'Not found. It may have been deleted.'))
  await page.getByRole('button', { name: 'Delete Person 2' }).click()
  await confirm.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Not found.')
  await cancel()
  await page.getByRole('button', { name: 'Delete Person 3' }).click()
  await confirm.click()
  await undo.click()
  await expect.element(page.getByText('The record was restored')).toBeVisible()
  expect(restored()).toEqual([{ resource: 'contacts', ids: ['id-3'] }])
})

/** Opens the list of contacts, and tries to delete one of them. Returns the button that tries again, and the error. */
async function failToDelete(respond: () => ApiResponse) {
  network.on('DELETE /api/contacts/id-3', respond)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Delete Person 3' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete contact' })
  await confirm.click()
  const alert = dialog.getByRole('alert')
  await expect.element(alert).toBeVisible()
  return { confirm, alert }
}

test('a lost response of another user who was signed in before does not count', async () => {
  await failToDelete(failNetwork)
  closeAll()
  signInUser(undefined, 'Admin', { id: 'u2' })
  const { alert } = await failToDelete(() => errorResponse(404, 'Not found. It may have been deleted.'))
  await expect.element(alert).toHaveTextContent('Not found.')
})

test('a lost response does not count after the server has refused the deletion', async () => {
  const { confirm, alert } = await failToDelete(failNetwork)
  network.on('DELETE /api/contacts/id-3', () => errorResponse(409, 'It is in use.'))
  await confirm.click()
  await expect.element(alert).toHaveTextContent('It is in use.')
  network.on('DELETE /api/contacts/id-3', () => errorResponse(404, 'Not found. It may have been deleted.'))
  await confirm.click()
  await expect.element(alert).toHaveTextContent('Not found.')
})

test('deleting a record that another user has deleted shows the error', async () => {
  network.on('DELETE /api/contacts/id-3', () => errorResponse(404, 'Not found. It may have been deleted.'))
  open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Delete Person 3' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
  await expect.element(page.getByRole('dialog').getByRole('alert')).toHaveTextContent('Not found.')
})

test('Undo says if the record is no longer in the trash', async () => {
  network.on(`POST ${RESTORE}`, () => errorResponse(404, 'Not found. It may have been deleted.'))
  await deleteContact()
  await undo.click()
  await expect.element(page.getByText('It is no longer in the trash.')).toBeVisible()
  await expect.poll(() => undo.elements()).toHaveLength(0)
})

test('a bulk deletion is undone as one batch', async () => {
  const result = { matched: 1, changed: 1, unchanged: 0, refused: [], digest: 'first', batch_id: 'batch-1' }
  network.on('POST /api/contacts/bulk', () => ({ body: { success: true, data: result } }))
  open('/dashboard/contacts')
  await page.getByRole('checkbox', { name: 'Select Person 1', exact: true }).click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete…' }).click()
  await expect.element(page.getByText('It can be restored from the trash.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1' }).click()
  await undo.click()
  await expect.element(page.getByText('The record was restored')).toBeVisible()
  expect(restored()).toEqual([{ resource: 'contacts', batch_id: 'batch-1' }])
})

test('after a deletion on the page of a record, Undo reloads the list', async () => {
  serveContact(contact(1))
  network.on('DELETE /api/contacts/id-1', () => ({
    body: { success: true, message: 'Contact deleted successfully' },
  }))
  const { address } = open('/dashboard/contacts/id-1')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
  await expect.poll(address).toBe('/dashboard/contacts')
  const before = network.requests('/api/contacts').length
  await undo.click()
  await expect.poll(() => network.requests('/api/contacts').length).toBeGreaterThan(before)
  expect(restored()).toEqual([{ resource: 'contacts', ids: ['id-1'] }])
})

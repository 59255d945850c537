import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { importSession, serveImports } from '~/test/imports'
import { errorResponse, network } from '~/test/network'
import { contactsResource, moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { allPermissions } from '~/test/rights'
import { failNetwork } from '~/test/signIn'

const imports = '/dashboard/contacts/imports'
const DELETION = 'DELETE /api/contacts/imports/s1'

const row = (file: string) => page.getByRole('listitem').filter({ hasText: file })
const dialog = page.getByRole('dialog', { name: 'Delete import' })
const confirm = dialog.getByRole('button', { name: 'Delete import' })
const cancel = dialog.getByRole('button', { name: 'Cancel' })
const deleteRow = () => page.getByRole('button', { name: 'Delete the import of kunder.csv' }).click()

/** Opens the list of imports as a user who has all permissions on contacts, and these on imports. */
function openImports(onImports = allPermissions) {
  signInUser()
  const part = { ...moduleResource('contacts.imports', 'Imports', onImports), route: imports }
  servePermissions({ ...contactsResource(allPermissions), has_subresources: true, subresources: [part] })
  open(imports)
}

test('deletes a finished import after confirmation', async () => {
  const old = importSession({ sessionId: 's2', fileName: 'old.csv' })
  serveImports(importSession({ failedRecords: 15, expiresAt: '2027-02-18T08:01:05Z' }), old)
  network.on(DELETION, () => {
    serveImports(old)
    return { body: { success: true, message: 'Import deleted.' } }
  })
  openImports()
  await expect.element(row('kunder.csv')).toHaveTextContent('report available until Feb 18, 2027')
  await deleteRow()
  await expect.element(dialog).toHaveTextContent('the rows with problems can no longer be downloaded.')
  await expect.element(cancel).toHaveFocus()
  await confirm.click()
  await expect.element(page.getByText('Import deleted.')).toBeVisible()
  await expect.poll(() => row('kunder.csv').elements()).toHaveLength(0)
  await expect.element(row('old.csv')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Delete the import of old.csv' })).toHaveFocus()
})

test('shows why an import could not be deleted, and keeps it', async () => {
  serveImports(importSession())
  const message = 'This import is still running. Cancel it before you delete it.'
  network.on(DELETION, () => errorResponse(409, message))
  openImports()
  await deleteRow()
  await confirm.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(message)
  await cancel.click()
  await expect.element(row('kunder.csv')).toBeVisible()
})

test('deleting an import again after a lost response and Cancel counts as deleted', async () => {
  serveImports(importSession())
  network.on(DELETION, failNetwork)
  openImports()
  await deleteRow()
  await confirm.click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await cancel.click()
  await expect.element(dialog).not.toBeInTheDocument()
  network.on(DELETION, () => {
    serveImports()
    return errorResponse(404, 'Not found. It may have been deleted.')
  })
  await deleteRow()
  await confirm.click()
  await expect.element(page.getByText('Import deleted.')).toBeVisible()
  await expect.element(page.getByText('No imports yet')).toBeVisible()
})

test('offers no deletion without the delete permission on imports', async () => {
  serveImports(importSession())
  openImports({ ...allPermissions, can_delete: false })
  await expect.element(row('kunder.csv')).toBeVisible()
  expect(page.getByRole('button', { name: /^Delete/ }).elements()).toHaveLength(0)
})

test('offers no deletion of a running import', async () => {
  const running = importSession({ status: 'processing', processedRecords: 400, successRecords: 390 })
  serveImports(running, importSession({ sessionId: 's2', fileName: 'old.csv' }))
  openImports()
  await expect.element(row('old.csv').getByRole('button', { name: /^Delete/ })).toBeVisible()
  expect(
    row('kunder.csv')
      .getByRole('button', { name: /^Delete/ })
      .elements(),
  ).toHaveLength(0)
})

import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ImportSession, Permissions } from '~/core'
import { undoEntry } from '~/test/history'
import { importSession, serveImports } from '~/test/imports'
import { delayResponse, network } from '~/test/network'
import { contactsResource, moduleResource, open, servePermissions, signInUser, textsOf } from '~/test/open'
import { allPermissions } from '~/test/rights'

const imports = '/dashboard/contacts/imports'
const row = (file: string) => page.getByRole('listitem').filter({ hasText: file })

/** Signs in a user with these permissions on contacts, and all permissions on imports. */
function signInWith(onContacts: Permissions) {
  signInUser()
  const part = { ...moduleResource('contacts.imports', 'Imports', allPermissions), route: imports }
  servePermissions({ ...contactsResource(onContacts), has_subresources: true, subresources: [part] })
}

test('undoes an import after showing what goes and what stays, and follows the progress', async () => {
  signInWith(allPermissions)
  serveImports(importSession({ successRecords: 2_079 }))
  const kept = Array.from({ length: 6 }, (_, n) => ({ id: `c-${n}`, label: `Ada ${n}`, fields: ['name'] }))
  const data = { reverted: 2_073, fields: [], kept, kept_count: 6, bound_count: 2, refused: [] }
  const UNDO = '/api/history/s1/revert'
  network.on(`POST ${UNDO}`, ({ body }) =>
    (body as { dry_run?: boolean }).dry_run
      ? { body: { success: true, data } }
      : { status: 202, body: { success: true, data: { batch_id: 'h-9' } } },
  )
  const steps = [
    { state: 'running', total: 2_079, reverted: 1_000, kept_count: 0 },
    { state: 'done', total: 2_079, reverted: 2_073, kept_count: 6 },
  ]
  const release = delayResponse('GET /api/history/h-9', () => ({
    body: {
      success: true,
      data: undoEntry(steps.shift() ?? { state: 'done', total: 0, reverted: 0, kept_count: 0 }),
    },
  }))
  open(imports)
  await row('kunder.csv').getByRole('button', { name: 'Undo the import of kunder.csv' }).click()
  const panel = page.getByRole('region', { name: 'Undo this import?' })
  await expect.element(panel).toHaveTextContent('2,073 contacts go to the trash')
  await expect.element(panel).toHaveTextContent('6 contacts have been changed since their import and stay:')
  await expect.element(panel).toHaveTextContent('2 contacts are in signed or delivered agreements and stay.')
  await panel.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.element(panel.getByRole('status')).toHaveTextContent('Undoing the import…')
  release()
  await expect
    .element(row('kunder.csv').getByRole('progressbar', { name: 'Undoing' }))
    .toHaveAttribute('aria-valuetext', '1,000 of 2,079 records')
  expect(panel.elements()).toHaveLength(0)
  expect(page.getByRole('button', { name: 'Undo the import of kunder.csv' }).elements()).toHaveLength(0)
  await expect.element(row('kunder.csv')).toHaveFocus()
  await expect
    .element(page.getByText(/^The import was undone\. 2,073 contacts went to the trash, 6 stay\.$/))
    .toBeVisible()
  const sent = network.requests(UNDO).map(({ body }) => (body as { on_conflict?: string }).on_conflict)
  expect(sent).toEqual(['keep', 'keep', 'keep'])
})

test.each([
  [5, 0, /^The import was undone\. 5 contacts went to the trash, none stays\.$/],
  [4, 1, /^The import was undone\. 4 contacts went to the trash, 1 stays\.$/],
])('undoing a small import says what went and what stays: %i, %i', async (reverted, kept_count, said) => {
  signInWith(allPermissions)
  serveImports(importSession({ successRecords: reverted + kept_count }))
  const kept = Array.from({ length: kept_count }, () => ({ id: 'c-1', label: 'Ada', fields: ['comments'] }))
  network.on('POST /api/history/s1/revert', ({ body }) => {
    const preview = (body as { dry_run?: boolean }).dry_run ? kept : []
    const data = { reverted, fields: [], kept: preview, kept_count, refused: [] }
    return { body: { success: true, message: 'Moved to the trash', data } }
  })
  open(imports)
  await row('kunder.csv').getByRole('button', { name: 'Undo the import of kunder.csv' }).click()
  const panel = page.getByRole('region', { name: 'Undo this import?' })
  await panel.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.element(page.getByText(said)).toBeVisible()
})

test('an import that is being undone shows the progress when the list opens, and offers Undo once it has ended', async () => {
  signInWith(allPermissions)
  serveImports(importSession({ undoingId: 'h-9' }))
  const step = { total: 1_000, kept_count: 2 }
  network.on('GET /api/history/h-9', () => ({
    body: { success: true, data: undoEntry({ ...step, state: 'running', reverted: 400 }) },
  }))
  open(imports)
  const bar = row('kunder.csv').getByRole('progressbar', { name: 'Undoing' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '402 of 1,000 records')
  const undo = page.getByRole('button', { name: 'Undo the import of kunder.csv' })
  expect(undo.elements()).toHaveLength(0)
  serveImports(importSession())
  network.on('GET /api/history/h-9', () => ({
    body: { success: true, data: undoEntry({ ...step, state: 'done', reverted: 998 }) },
  }))
  await expect
    .element(page.getByText(/^The import was undone\. 998 contacts went to the trash, 2 stay\.$/))
    .toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  await expect.element(undo).toBeVisible()
})

test('a user who may not read contacts sees an import that is being undone without its progress', async () => {
  signInWith({ ...allPermissions, can_read: false })
  serveImports(importSession({ undoingId: 'h-9' }))
  open(imports)
  await expect.element(row('kunder.csv')).toBeVisible()
  expect(network.requests('/api/history/h-9')).toHaveLength(0)
  expect(page.getByRole('button', { name: /^Undo/ }).elements()).toHaveLength(0)
})

test('at phone width the actions of an import are in its menu, also the undo', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInWith(allPermissions)
  serveImports(importSession({ failedRecords: 15 }))
  const data = { reverted: 1_000, fields: [], kept: [], kept_count: 0, refused: [] }
  network.on('POST /api/history/s1/revert', () => ({ body: { success: true, data } }))
  open(imports)
  const menu = page.getByRole('button', { name: 'Actions for kunder.csv' })
  await menu.click()
  await expect
    .poll(() => textsOf(page.getByRole('menuitem')))
    .toEqual(['Download rows with problems', 'View contacts', 'Undo import', 'Delete import'])
  await page.getByRole('menuitem', { name: 'Undo the import of kunder.csv' }).click()
  const panel = page.getByRole('region', { name: 'Undo this import?' })
  await expect.element(panel.getByRole('heading')).toHaveFocus()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  await expect.element(panel.getByRole('heading')).toHaveFocus()
  await panel.getByRole('button', { name: 'Not now' }).click()
  await expect.element(menu).toHaveFocus()
  expect(document.documentElement.scrollWidth).toBe(360)
})

test('an import can be undone only with the permission to delete contacts', async () => {
  signInWith({ ...allPermissions, can_delete: false })
  serveImports(importSession({ successRecords: 5 }))
  open(imports)
  await expect.element(row('kunder.csv')).toBeVisible()
  expect(page.getByRole('button', { name: /^Undo/ }).elements()).toHaveLength(0)
})

test.each([
  [0, 'Undone on Nov 21, 2026, no contacts kept'],
  [1, 'Undone on Nov 21, 2026, 1 contact kept'],
  [3, 'Undone on Nov 21, 2026, 3 contacts kept'],
])('an undone import says so in the list and on its page: %i kept', async (keptRecords, said) => {
  signInWith(allPermissions)
  const undone = importSession({ undoneAt: '2026-11-21T12:00:00Z', keptRecords })
  serveImports(undone, importSession({ sessionId: 's2', fileName: 'good.csv' }))
  network.on('GET /api/contacts/import/status/s1', () => ({ body: { success: true, session: undone } }))
  const app = open(imports)
  await expect.element(row('kunder.csv').getByText(said, { exact: true })).toBeVisible()
  await expect.element(row('good.csv')).not.toHaveTextContent('Undone')
  void app.visit(`${imports}/new?session=s1`)
  const step = page.getByRole('region', { name: 'Import Progress' })
  await expect.element(step.getByText(said, { exact: true })).toBeVisible()
})

test('the page of an import that has ended shows that it is undone elsewhere', async () => {
  signInWith(allPermissions)
  const serveStatus = (session: ImportSession) =>
    network.on('GET /api/contacts/import/status/s1', () => ({ body: { success: true, session } }))
  serveStatus(importSession())
  open(`${imports}/new?session=s1`)
  const link = page.getByRole('link', { name: 'View contacts' })
  await expect.element(page.getByText('Import completed successfully!')).toBeVisible()
  await expect.element(link).toHaveAttribute('href', '/dashboard/contacts?importBatchId=s1')
  serveStatus(importSession({ hasContacts: false, undoneAt: '2026-11-21T12:00:00Z', keptRecords: 0 }))
  const tab = new BroadcastChannel('forecourt-live u1')
  onTestFinished(() => tab.close())
  tab.postMessage({
    type: 'changed',
    resource: 'contacts.imports',
    ids: ['s1'],
    action: 'reverted',
    by: 'u1',
  })
  await expect.element(page.getByText('Undone on Nov 21, 2026, no contacts kept')).toBeVisible()
  await expect.element(link).toHaveAttribute('href', '/dashboard/contacts')
})

test('an import without contacts says so, and offers neither to view nor to undo them', async () => {
  signInWith(allPermissions)
  serveImports(
    importSession({ hasContacts: false }),
    importSession({ sessionId: 's2', fileName: 'good.csv' }),
  )
  open(imports)
  await expect.element(row('kunder.csv')).toHaveTextContent('none of its contacts is left')
  for (const [file, isOffered] of [
    ['kunder.csv', false],
    ['good.csv', true],
  ] as const) {
    expect(row(file).getByRole('link').elements().length > 0).toBe(isOffered)
    expect(row(file).getByRole('button', { name: /^Undo/ }).elements().length > 0).toBe(isOffered)
  }
  await expect.element(row('good.csv')).not.toHaveTextContent('is left')
})

test('an import whose contacts are all in agreements offers to view, but not to undo them', async () => {
  signInWith(allPermissions)
  serveImports(importSession({ hasUnboundContacts: false }))
  open(imports)
  await expect.element(row('kunder.csv').getByRole('link')).toBeVisible()
  await expect.element(row('kunder.csv').getByRole('button', { name: /^Undo/ })).not.toBeInTheDocument()
})

test('an import that was undone says that no contact is left only if its undoing has kept some', async () => {
  signInWith(allPermissions)
  const undone = { hasContacts: false, undoneAt: '2026-11-21T12:00:00Z' }
  serveImports(
    importSession({ ...undone, keptRecords: 0 }),
    importSession({ ...undone, keptRecords: 1, sessionId: 's2', fileName: 'good.csv' }),
  )
  open(imports)
  await expect.element(row('good.csv')).toHaveTextContent('none of its contacts is left')
  await expect.element(row('kunder.csv')).toHaveTextContent('no contacts kept')
  await expect.element(row('kunder.csv')).not.toHaveTextContent('is left')
})

test.each([
  ['with failed rows', 15, /^The rows with problems can no longer be downloaded\. ?kunder\.csv$/],
  ['without failed rows', 0, /^kunder\.csv$/],
])('deleting an import whose contacts are gone promises no contacts, %s', async (_, failedRecords, said) => {
  signInWith(allPermissions)
  serveImports(importSession({ hasContacts: false, failedRecords }))
  open(imports)
  await page.getByRole('button', { name: 'Delete the import of kunder.csv' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Delete import' })).toHaveAccessibleDescription(said)
})

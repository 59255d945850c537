import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { RevertResult } from '~/core'
import { customer, openCustomers } from '~/test/customers'
import { change, entry, serveHistory, undoEntry } from '~/test/history'
import { type ApiRequest, type ApiResponse, delayResponse, errorResponse, network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser, textsOf } from '~/test/open'
import { allPermissions, noPermissions, readPermission } from '~/test/rights'

const card = page.getByRole('region', { name: 'History' })
const button = card.getByRole('button', { name: 'Undo…' })
const panel = page.getByRole('region', { name: 'Undo this change?' })
const checkbox = panel.getByRole('checkbox')

const changes = [change('telephone', '070 1', '070 2'), change('address', 'Storgatan 1', 'Storgatan 2')]

/** Makes the fake server answer dry runs with this result, and undo requests with `respond`. */
function serveUndo(found: Partial<RevertResult>, respond: () => ApiResponse = () => ({ body: done })) {
  network.on(CALL, undoHandler(found, respond))
}

function undoHandler(found: Partial<RevertResult>, respond: () => ApiResponse = () => ({ body: done })) {
  const data = {
    reverted: 1,
    fields: ['telephone', 'address'],
    kept: [],
    refused: [],
    kept_count: found.kept?.length ?? 0,
    ...found,
  }
  return ({ body }: ApiRequest) =>
    (body as { dry_run?: boolean }).dry_run ? { body: { success: true, data } } : respond()
}

const CALL = 'POST /api/history/h-1/revert'
const done = {
  success: true,
  message: 'The change was undone',
  messages: [{ code: 'history.undone', text: 'The change was undone' }],
  data: {},
}
const kept = (...fields: string[]) => [
  { id: 'c-1', label: 'Maja Holm 1', fields, last_change: { at: entry(2).at, actor: entry(2).actor } },
]

/** Returns the bodies of the requests that undo an entry, without dry runs. */
const sent = () =>
  network
    .requests('/api/history/h-1/revert')
    .map(({ body }) => body as { dry_run?: boolean; on_conflict?: string })
    .filter(({ dry_run }) => !dry_run)
    .map(({ on_conflict }) => on_conflict)

const openCustomer = () => openCustomers([customer(1)], { address: '/dashboard/customers/c-1' })

test('an update is undone after a preview of its fields', async () => {
  serveHistory([entry(1, { changes })])
  serveUndo({})
  openCustomer()
  await button.click()
  await expect.element(panel.getByRole('heading')).toHaveFocus()
  expect(textsOf(panel.getByRole('term'))).toEqual(['Telephone', 'Address'])
  expect(textsOf(panel.getByRole('definition'))).toEqual([
    'Before: 070 2After: 070 1',
    'Before: Storgatan 2After: Storgatan 1',
  ])
  expect(checkbox.elements()).toHaveLength(0)
  const loaded = network.requests('/api/customers/c-1').length
  await panel.getByRole('button', { name: 'Undo 2 fields' }).click()
  await expect.element(page.getByText('The change was undone')).toBeVisible()
  await expect.element(panel).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
  expect(sent()).toEqual(['refuse'])
  await expect.poll(() => network.requests('/api/customers/c-1').length).toBeGreaterThan(loaded)
})

test('undoing keeps fields that were changed again later, unless the user includes them', async () => {
  serveHistory([entry(1, { changes })])
  serveUndo({ fields: ['telephone'], kept: kept('address') })
  openCustomer()
  await button.click()
  await expect
    .element(panel)
    .toHaveTextContent('Address has been changed again since then and keeps its value.')
  await expect.element(panel).toHaveTextContent('Last changed by Ada Lindqvist, Nov 20, 2026, 8:02 AM')
  expect(textsOf(panel.getByRole('term'))).toEqual(['Telephone'])
  await panel.getByRole('button', { name: 'Undo 1 field' }).click()
  await expect.poll(sent).toEqual(['keep'])
  await button.click()
  await checkbox.click()
  await panel.getByRole('button', { name: 'Undo 2 fields' }).click()
  await expect.poll(sent).toEqual(['keep', 'overwrite'])
})

test('only fields that are not recorded or follow from agreements are said to stay as they are', async () => {
  serveHistory([entry(1, { changes: [...changes, change('socialSecurityNumber')] })])
  // The address already has its old value.
  serveUndo({
    fields: ['telephone'],
    unrecorded: ['socialSecurityNumber'],
    following: ['numberOfOrders', 'totalSpent'],
  })
  openCustomer()
  await button.click()
  const stays = 'Stays as it is, because the old value is not recorded: Social Security Number.'
  await expect.element(panel.getByText(stays)).toBeVisible()
  const follow = /^Stays as it is, because it follows from agreements: \S.+ and \S.+\.$/
  await expect.element(panel.getByText(follow)).toBeVisible()
  expect(textsOf(panel.getByRole('term'))).toEqual(['Telephone'])
})

test('if all fields were changed again later, Undo is disabled until the user includes them', async () => {
  serveHistory([entry(1, { changes })])
  serveUndo({ reverted: 0, fields: [], kept: kept('telephone', 'address') })
  openCustomer()
  await button.click()
  await expect
    .element(panel)
    .toHaveTextContent('Telephone and Address have been changed again since then and keep their values.')
  const confirm = panel.getByRole('button', { name: /^Undo( 2 fields)?$/ })
  await expect.element(confirm).toHaveAttribute('aria-disabled', 'true')
  await checkbox.click()
  await expect.element(confirm).not.toHaveAttribute('aria-disabled')
})

test('if the record changed since the preview, the new preview is shown before anything is undone', async () => {
  serveHistory([entry(1, { changes })])
  serveUndo({})
  openCustomer()
  await button.click()
  await expect.element(panel).toBeVisible()
  serveUndo({ fields: ['telephone'], kept: kept('address') })
  await panel.getByRole('button', { name: 'Undo 2 fields' }).click()
  await expect.element(panel.getByRole('alert')).toHaveTextContent('It was changed in the meantime.')
  await expect
    .element(panel)
    .toHaveTextContent('Address has been changed again since then and keeps its value.')
  expect(sent()).toEqual([])
  await panel.getByRole('button', { name: 'Undo 1 field' }).click()
  await expect.poll(sent).toEqual(['keep'])
})

test('if the change was undone since the preview, only the preview says so and its title gets the focus', async () => {
  serveHistory([entry(1, { changes })])
  serveUndo({})
  openCustomer()
  await button.click()
  await expect.element(panel).toBeVisible()
  serveUndo({ reverted: 0, fields: [] })
  await panel.getByRole('button', { name: 'Undo 2 fields' }).click()
  await expect.element(panel).toHaveTextContent('There is nothing to undo')
  await expect.element(panel.getByRole('heading')).toHaveFocus()
  expect(panel.getByRole('alert').elements()).toHaveLength(0)
  expect(sent()).toEqual([])
})

test('if the server finds nothing to undo, it is said once', async () => {
  const sentence = 'There is nothing to undo: the record already has the old values.'
  serveHistory([entry(1, { changes })])
  serveUndo({}, () => {
    serveUndo({ reverted: 0, fields: [] })
    return errorResponse(409, sentence)
  })
  openCustomer()
  await button.click()
  await panel.getByRole('button', { name: 'Undo 2 fields' }).click()
  await expect.element(panel.getByRole('alert')).toHaveTextContent(sentence)
  // The new preview has arrived.
  await expect.poll(() => panel.getByRole('term').elements()).toHaveLength(0)
  expect(panel.getByText(sentence).elements()).toHaveLength(1)
})

test('if undoing fails, the preview stays open and shows the error', async () => {
  serveHistory([entry(1, { changes })])
  serveUndo({}, () => errorResponse(409, 'It has been changed again since then.'))
  openCustomer()
  await button.click()
  await panel.getByRole('button', { name: 'Undo 2 fields' }).click()
  await expect.element(panel.getByRole('alert')).toHaveTextContent('It has been changed again since then.')
})

test('the preview can not be closed while the undo request runs', async () => {
  serveHistory([entry(1, { changes })])
  serveUndo({})
  openCustomer()
  await button.click()
  await expect.element(panel).toBeVisible()
  const release = delayResponse(CALL, undoHandler({}))
  await panel.getByRole('button', { name: 'Undo 2 fields' }).click()
  await userEvent.keyboard('{Escape}')
  await expect
    .element(panel.getByRole('button', { name: 'Not now' }))
    .toHaveAttribute('aria-disabled', 'true')
  release()
  await expect.element(panel).not.toBeInTheDocument()
  expect(sent()).toEqual(['refuse'])
})

test('Escape and "Not now" close the preview and return the focus to its button', async () => {
  serveHistory([entry(1, { changes })])
  serveUndo({})
  openCustomer()
  await button.click()
  await expect.element(panel.getByRole('heading')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(button).toHaveFocus()
  await button.click()
  await panel.getByRole('button', { name: 'Not now' }).click()
  await expect.element(button).toHaveFocus()
  expect(sent()).toEqual([])
})

test('only updates have an Undo button, not deletions and restorations', async () => {
  serveHistory([
    entry(3, { action: 'restored', changes: [] }),
    entry(2, { action: 'deleted', changes: [change('name', 'Maja')] }),
    entry(1, { changes }),
  ])
  openCustomer()
  await expect.element(button).toBeInTheDocument()
  expect(button.elements()).toHaveLength(1)
})

test('a user who may only read has no Undo button', async () => {
  serveHistory([entry(1, { changes })])
  openCustomers([customer(1)], { address: '/dashboard/customers/c-1', may: readPermission })
  await expect.element(card.getByRole('listitem')).toBeVisible()
  expect(button.elements()).toHaveLength(0)
})

test("undoing a bulk action names the records that keep a later change and those that can't be undone", async () => {
  signInUser()
  servePermissions(
    moduleResource('history', 'History', allPermissions),
    moduleResource('contacts', 'Contacts', allPermissions),
    moduleResource('users', 'Users Management', noPermissions),
  )
  serveHistory([entry(1, { resource: 'contacts', record_id: '', label: '', changes: [], records: 12 })])
  const names = Array.from({ length: 7 }, (_, n) => ({
    id: `r-${n}`,
    label: `Ada ${n}`,
    fields: ['name'],
    last_change: undefined,
  }))
  const message = 'This record is deleted. Restore it first.'
  const refused = [
    { id: 'x', label: 'Bo', message, messages: [{ code: 'history.record_deleted', text: message }] },
  ]
  serveUndo({ reverted: 4, fields: [], kept: names, refused })
  open('/dashboard/history')
  await page.getByRole('button', { name: 'Undo…' }).click()
  const bulk = page.getByRole('region', { name: 'Undo this bulk action?' })
  await expect.element(bulk).toHaveTextContent('4 records get their old values back.')
  expect(textsOf(bulk.getByRole('listitem'))).toEqual([
    'Ada 0',
    'Ada 1',
    'Ada 2',
    'Ada 3',
    'Ada 4',
    '2 more',
    `Bo: ${message}`,
  ])
  await bulk.getByRole('checkbox', { name: 'Undo these records too' }).click()
  await expect.element(bulk).toHaveTextContent('11 records get their old values back.')
  await bulk.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(sent).toEqual(['overwrite'])
})

test('a preview of a bulk undo counts a record once, and no records that get nothing back', async () => {
  signInUser()
  servePermissions(
    moduleResource('history', 'History', allPermissions),
    moduleResource('contacts', 'Contacts', allPermissions),
  )
  serveHistory([entry(1, { resource: 'contacts', record_id: '', label: '', changes: [], records: 2 })])
  const again = ['Ada', 'Bo'].map(label => ({ id: label, label, fields: ['name'], last_change: undefined }))
  serveUndo({ reverted: 0, fields: [], kept: again })
  open('/dashboard/history')
  const undo = page.getByRole('button', { name: 'Undo…' })
  await undo.click()
  const bulk = page.getByRole('region', { name: 'Undo this bulk action?' })
  await expect.element(bulk).toHaveTextContent('2 records have been changed again since then.')
  expect(bulk.getByText(/old values back/).elements()).toHaveLength(0)
  await bulk.getByRole('button', { name: 'Not now' }).click()
  // Other fields of Ada were not changed again.
  serveUndo({ reverted: 1, fields: [], kept: again })
  await undo.click()
  await bulk.getByRole('checkbox', { name: 'Undo these records too' }).click()
  await expect.element(bulk.getByText('2 records get their old values back.')).toBeVisible()
})

test('an entry that has been undone completely loses its button, and gets the focus', async () => {
  signInUser()
  servePermissions(
    moduleResource('history', 'History', allPermissions),
    moduleResource('contacts', 'Contacts', allPermissions),
  )
  const deleted = entry(1, { action: 'deleted', resource: 'contacts', changes: [], undo: 'delete' })
  const server = serveHistory([deleted])
  serveUndo({ fields: [] }, () => {
    server.entries = [{ ...deleted, undo: undefined }]
    return { body: done }
  })
  open('/dashboard/history')
  const restore = page.getByRole('button', { name: /^Restore…/ })
  await restore.click()
  const panel = page.getByRole('region', { name: 'Restore this record?' })
  await panel.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.poll(() => restore.elements()).toHaveLength(0)
  await expect.element(page.getByRole('listitem').filter({ hasText: 'deleted' })).toHaveFocus()
})

test('the entry of an undo that runs shows its progress, and can be restored once the undo has ended', async () => {
  signInUser()
  servePermissions(
    moduleResource('history', 'History', allPermissions),
    moduleResource('contacts', 'Contacts', allPermissions),
  )
  const progress = { state: 'running', total: 1_000, reverted: 400, kept_count: 0 }
  const undoing = undoEntry(progress)
  const server = serveHistory([{ ...undoing, undo: undefined, undoing_id: undoing.history_id }])
  network.on('GET /api/history/h-9', () => ({ body: { success: true, data: undoEntry(progress) } }))
  open('/dashboard/history')
  const bar = page.getByRole('progressbar', { name: 'Undoing' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '400 of 1,000 records')
  const item = page.getByRole('listitem').filter({ hasText: 'kunder.csv' })
  await expect.element(item).toHaveTextContent('Ada Lindqvist is undoing the import of kunder.csv')
  const restore = page.getByRole('button', { name: /^Restore…/ })
  expect(restore.elements()).toHaveLength(0)
  progress.state = 'done'
  server.entries = [{ ...undoing, undo: 'delete' }]
  await expect.element(restore).toBeInTheDocument()
  await expect.element(item).toHaveTextContent('undid the import of 400 contacts from kunder.csv')
  expect(bar.elements()).toHaveLength(0)
  expect(page.getByText('The records were restored').elements()).toHaveLength(0)
})

test('the entry of a restoration that runs says so without a number', async () => {
  signInUser()
  servePermissions(
    moduleResource('history', 'History', allPermissions),
    moduleResource('contacts', 'Contacts', allPermissions),
  )
  const running = undoEntry({ state: 'running', total: 1_000, reverted: 400, kept_count: 0 })
  const restoration = { ...running, action: 'restored', undo: undefined, undoing_id: running.history_id }
  serveHistory([restoration])
  network.on('GET /api/history/h-9', () => ({ body: { success: true, data: restoration } }))
  open('/dashboard/history')
  const item = page.getByRole('listitem').filter({ hasText: 'Ada Lindqvist is restoring contacts' })
  await expect.element(item).toBeVisible()
})

test('restoring deleted records says how many records stay in the trash', async () => {
  signInUser()
  servePermissions(
    moduleResource('history', 'History', allPermissions),
    moduleResource('vehicles', 'Vehicles', allPermissions),
  )
  serveHistory([
    entry(1, {
      action: 'deleted',
      resource: 'vehicles',
      record_id: '',
      label: '',
      changes: [],
      records: 1_001,
      undo: 'delete',
    }),
  ])
  serveUndo({ reverted: 1_001, fields: [] }, () => ({
    status: 202,
    body: { success: true, data: { batch_id: 'h-9' } },
  }))
  const progress = { state: 'done', total: 1_001, reverted: 1_000, kept_count: 1 }
  network.on('GET /api/history/h-9', () => ({ body: { success: true, data: undoEntry(progress) } }))
  open('/dashboard/history')
  await page.getByRole('button', { name: /^Restore…/ }).click()
  const deletion = page.getByRole('region', { name: 'Restore these records?' })
  await deletion.getByRole('button', { name: 'Restore', exact: true }).click()
  const left =
    '1 record stays in the trash because another one now has its VIN or registration number. The others were restored.'
  await expect.element(page.getByText(left)).toBeVisible()
})

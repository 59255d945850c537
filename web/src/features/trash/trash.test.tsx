import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { TrashEntry, TrashInput } from '~/core'
import { delayResponse, errorResponse, network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { allPermissions, readPermission } from '~/test/rights'

const DAY_MS = 86_400_000
const titles = { contacts: 'Contacts', customers: 'Customers', invoices: 'Invoices' }

/** Returns a deleted record that will be purged in `days` days. */
const entry = (resource: keyof typeof titles, label: string, days = 30): TrashEntry => ({
  resource,
  id: `${resource}-${label}`,
  label,
  deleted_at: new Date(Date.now() - (30 - days) * DAY_MS).toISOString(),
  deleted_by: { id: 'u2', name: 'Elin Strand' },
  purge_at: new Date(Date.now() + days * DAY_MS).toISOString(),
  is_kept: false,
})

let trash: TrashEntry[] = []

/** Removes the records that a request names from the fake server's trash. */
function take(body: unknown) {
  const { resource, ids } = body as TrashInput
  const taken = trash.filter(item => item.resource === resource && ids?.includes(item.id))
  trash = trash.filter(item => !taken.includes(item))
  if (taken.length === 0) return errorResponse(404, 'Not found. It may have been deleted.')
  return {
    body: { success: true, message: `${taken.length} records were restored`, data: { count: taken.length } },
  }
}

function serveTrash(...entries: TrashEntry[]) {
  trash = entries
  network.on('GET /api/trash', ({ query }) => {
    const [search, resource] = [query.get('search') ?? '', query.get('resource') ?? '']
    const data = trash.filter(
      item => item.label.includes(search) && (resource === '' || item.resource === resource),
    )
    return { body: { success: true, data, totalItems: data.length, totalPages: 1 } }
  })
  network.on('POST /api/trash/restore', ({ body }) => take(body))
  network.on('DELETE /api/trash', ({ body }) => take(body))
}

const serveResources = (permissions = allPermissions) =>
  servePermissions(
    ...(['contacts', 'customers', 'invoices'] as const).map(id =>
      moduleResource(id, titles[id], permissions),
    ),
  )

const row = (name: string) => page.getByRole('row', { name })
const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
const bar = page.getByRole('region', { name: 'Selection' })
const bodies = (path: string) => network.requests(path).map(({ body }) => body)

beforeEach(() => {
  signInUser()
  serveResources()
})

test('each row says what was deleted, by whom, and when it is purged', async () => {
  serveTrash(entry('contacts', 'Ada'), entry('customers', 'Berg AB', 1), entry('invoices', 'Cecilia', 0))
  open('/dashboard/trash')
  await expect.element(row('Ada')).toHaveTextContent(/Contact.*Elin Strand.*30 days/)
  await expect.element(row('Berg AB')).toHaveTextContent(/Customer.*1 day/)
  await expect.element(row('Cecilia')).toHaveTextContent(/Invoice.*last day/)
})

test('a record in an agreement is shown as kept, and stays when others are deleted permanently', async () => {
  serveTrash(entry('customers', 'Ada AB'), { ...entry('customers', 'Berg AB'), is_kept: true })
  open('/dashboard/trash')
  await expect.element(row('Berg AB')).toHaveTextContent(/Kept In an agreement/)
  await box('Select Berg AB').click()
  const deletion = bar.getByRole('button', { name: 'Delete permanently…' })
  await deletion.click()
  const dialog = page.getByRole('dialog', { name: 'Delete permanently' })
  const keptText = '1 record is in a signed or delivered agreement and stays.'
  await expect.element(dialog).toHaveAccessibleDescription(keptText)
  expect(dialog.getByRole('button', { name: 'Delete permanently' }).elements()).toHaveLength(0)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await box('Select Ada AB').click()
  await deletion.click()
  const question = '“Ada AB” will be permanently deleted. This action cannot be undone.'
  await expect.element(dialog).toHaveAccessibleDescription(`${question} ${keptText}`)
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect.poll(() => row('Ada AB').elements()).toHaveLength(0)
  expect(bodies('/api/trash').filter(Boolean)).toEqual([{ resource: 'customers', ids: ['customers-Ada AB'] }])
  await expect.element(box('Select Berg AB')).toBeChecked()
})

test('a kept record that was selected on another page stays, too', async () => {
  const pages = [[{ ...entry('customers', 'Berg AB'), is_kept: true }], [entry('customers', 'Ada AB')]]
  serveTrash(...pages.flat())
  network.on('GET /api/trash', ({ query }) => ({
    body: { success: true, data: pages[Number(query.get('page')) - 1], totalItems: 21, totalPages: 2 },
  }))
  open('/dashboard/trash')
  await box('Select Berg AB').click()
  await page.getByRole('link', { name: 'Page 2' }).click()
  await box('Select Ada AB').click()
  await bar.getByRole('button', { name: 'Delete permanently…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
  await expect.element(page.getByText('1 record was permanently deleted')).toBeVisible()
  expect(bodies('/api/trash').filter(Boolean)).toEqual([{ resource: 'customers', ids: ['customers-Ada AB'] }])
})

test('records that could not be deleted permanently stay selected, and the dialog says why', async () => {
  const reason = "Berg AB is in a signed or delivered agreement, so it can't be permanently deleted."
  serveTrash(entry('contacts', 'Ada'), entry('customers', 'Berg AB'))
  network.on('DELETE /api/trash', ({ body }) =>
    (body as TrashInput).resource === 'customers' ? errorResponse(409, reason) : take(body),
  )
  open('/dashboard/trash')
  await box('Select Ada').click()
  await box('Select Berg AB').click()
  await bar.getByRole('button', { name: 'Delete permanently…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete permanently' })
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect.element(dialog.getByText(`Customers: ${reason}`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => row('Ada').elements()).toHaveLength(0)
  await expect.element(box('Select Berg AB')).toBeChecked()
})

test('on a phone a space separates who deleted a record and when', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  serveTrash(entry('contacts', 'Ada'))
  open('/dashboard/trash')
  const item = page.getByRole('list', { name: 'Deleted records' }).getByRole('listitem')
  await expect.element(item).toHaveTextContent(/Elin Strand \S.*30 days/)
})

test('on a phone a record is restored with the button of its row', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  serveTrash(entry('contacts', 'Ada'), entry('customers', 'Berg AB'))
  open('/dashboard/trash')
  await page.getByRole('button', { name: 'Restore Ada' }).click()
  await expect.element(page.getByText('Ada was restored')).toBeVisible()
  expect(bodies('/api/trash/restore')).toEqual([{ resource: 'contacts', ids: ['contacts-Ada'] }])
  await expect.element(box('Select Berg AB')).not.toBeChecked()
})

test('a restored record leaves the trash', async () => {
  serveTrash(entry('contacts', 'Ada'), entry('customers', 'Berg AB'))
  open('/dashboard/trash')
  await page.getByRole('button', { name: 'Restore Ada' }).click()
  await expect.element(page.getByText('Ada was restored')).toBeVisible()
  await expect.poll(() => row('Ada').elements()).toHaveLength(0)
  await expect.element(row('Berg AB')).toBeVisible()
  expect(bodies('/api/trash/restore')).toEqual([{ resource: 'contacts', ids: ['contacts-Ada'] }])
  await expect.element(page.getByRole('button', { name: 'Restore Berg AB' })).toHaveFocus()
})

test('a record that is ticked while another one is restored stays ticked', async () => {
  serveTrash(entry('contacts', 'Ada'), entry('contacts', 'Bo'), entry('contacts', 'Cecilia'))
  const release = delayResponse('POST /api/trash/restore', ({ body }) => take(body))
  open('/dashboard/trash')
  await box('Select Ada').click()
  await page.getByRole('button', { name: 'Restore Ada' }).click()
  await box('Select Bo').click()
  release()
  await expect.element(page.getByText('Ada was restored')).toBeVisible()
  await expect.element(bar.getByRole('button', { name: 'Restore 1' })).toBeVisible()
  await expect.element(box('Select Bo')).toBeChecked()
})

test('selected records of several resources are restored by one request each, customers before invoices', async () => {
  serveTrash(entry('invoices', 'Cecilia'), entry('customers', 'Berg AB'), entry('contacts', 'Ada'))
  open('/dashboard/trash')
  await box('Select Cecilia').click()
  await box('Select Berg AB').click()
  await bar.getByRole('button', { name: 'Restore 2' }).click()
  await expect.element(page.getByText('2 records were restored')).toBeVisible()
  expect(bodies('/api/trash/restore')).toEqual([
    { resource: 'customers', ids: ['customers-Berg AB'] },
    { resource: 'invoices', ids: ['invoices-Cecilia'] },
  ])
  await expect.poll(() => bar.elements()).toHaveLength(0)
})

test('records that could not be restored stay selected, and the reason is shown', async () => {
  serveTrash(entry('invoices', 'Cecilia'), entry('contacts', 'Ada'))
  network.on('POST /api/trash/restore', ({ body }) =>
    (body as TrashInput).resource === 'invoices' ? errorResponse(503, 'The server is busy.') : take(body),
  )
  open('/dashboard/trash')
  await box('Select Cecilia').click()
  await box('Select Ada').click()
  await bar.getByRole('button', { name: 'Restore 2' }).click()
  await expect.element(page.getByText("Invoices couldn't be restored")).toBeVisible()
  await expect.element(page.getByText('The server is busy.')).toBeVisible()
  await expect.element(box('Select Cecilia')).toBeChecked()
  await expect.element(bar.getByRole('button', { name: 'Restore 1' })).toBeVisible()
})

test('a record that another user has restored is reported, and the list is loaded again', async () => {
  serveTrash(entry('contacts', 'Ada'), entry('contacts', 'Bo'))
  open('/dashboard/trash')
  await expect.element(row('Bo')).toBeVisible()
  trash = trash.filter(({ label }) => label !== 'Bo')
  await page.getByRole('button', { name: 'Restore Bo' }).click()
  await expect.element(page.getByText('1 record was no longer in the trash.')).toBeVisible()
  await expect.poll(() => row('Bo').elements()).toHaveLength(0)
})

test('an administrator deletes a record permanently after confirming', async () => {
  serveTrash(entry('contacts', 'Ada'), entry('contacts', 'Bo'))
  open('/dashboard/trash')
  await box('Select Bo').click()
  await bar.getByRole('button', { name: 'Delete permanently…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete permanently' })
  await expect
    .element(dialog.getByText('“Bo” will be permanently deleted. This action cannot be undone.'))
    .toBeVisible()
  expect(bodies('/api/trash').filter(Boolean)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect.element(page.getByText('1 record was permanently deleted')).toBeVisible()
  expect(bodies('/api/trash').filter(Boolean)).toEqual([{ resource: 'contacts', ids: ['contacts-Bo'] }])
  await expect.poll(() => row('Bo').elements()).toHaveLength(0)
})

test('a user who is no administrator has no button to delete permanently', async () => {
  signInUser(allPermissions, 'User')
  serveResources()
  serveTrash(entry('contacts', 'Ada'))
  open('/dashboard/trash')
  await box('Select Ada').click()
  await expect.element(bar.getByRole('button', { name: 'Restore 1' })).toBeVisible()
  expect(bar.getByRole('button', { name: 'Delete permanently…' }).elements()).toHaveLength(0)
})

test('the search and the kind of record are in the URL, and Back undoes a choice', async () => {
  serveTrash(entry('contacts', 'Ada'), entry('customers', 'Ada AB'), entry('customers', 'Berg AB'))
  const { address, go } = open('/dashboard/trash?search=Ada')
  await expect.element(row('Ada AB')).toBeVisible()
  expect(row('Berg AB').elements()).toHaveLength(0)
  await page.getByRole('combobox', { name: 'Kind of record' }).click()
  await page.getByRole('option', { name: 'Contacts' }).click()
  await expect.poll(address).toBe('/dashboard/trash?search=Ada&resource=contacts')
  await expect.poll(() => row('Ada AB').elements()).toHaveLength(0)
  await go(-1)
  await expect.element(row('Ada AB')).toBeVisible()
})

test.each([
  ['', 'The trash is empty.', 0],
  ['?search=x', 'Nothing found', 1],
])('an empty list at "%s" says "%s"', async (query, text, links) => {
  serveTrash()
  open(`/dashboard/trash${query}`)
  await expect.element(page.getByRole('heading', { name: text })).toBeVisible()
  expect(page.getByRole('link', { name: 'Clear search' }).elements()).toHaveLength(links)
})

test('a failed request can be retried', async () => {
  serveTrash(entry('contacts', 'Ada'))
  network.on('GET /api/trash', () => errorResponse(503, 'The server is busy.'))
  open('/dashboard/trash')
  await expect.element(page.getByText('Failed to load the trash')).toBeVisible()
  serveTrash(entry('contacts', 'Ada'))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(row('Ada')).toBeVisible()
})

test('a user who may not delete any records can not open the trash, and the menu has no link to it', async () => {
  serveResources(readPermission)
  open('/dashboard/trash')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible()
  // No role names the trash.
  await expect.element(page.getByText("You don't have access to Trash")).toBeVisible()
  await expect.element(page.getByText('This page is for users who may delete records.')).toBeVisible()
  expect(network.requests('/api/trash').length).toBeLessThan(2)
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible()
  expect(page.getByRole('menuitem', { name: 'Trash' }).elements()).toHaveLength(0)
})

test('the profile menu leads to the trash', async () => {
  serveTrash()
  const { address } = open('/dashboard/profile')
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await expect.poll(address).toBe('/dashboard/trash')
})

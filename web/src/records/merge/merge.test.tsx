import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ContactSummary, DuplicateReason } from '~/core'
import { contact, serveContactCount, summaryOf } from '~/test/contacts'
import { customer, openCustomers } from '~/test/customers'
import { delayResponse, errorResponse, network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { allPermissions } from '~/test/rights'
import { failNetwork } from '~/test/signIn'
import type { MergeRequest } from './api'

const one = summaryOf(
  contact(1, { name: 'Maja Holm', email: 'maja@nordbil.example', createdAt: '2026-01-01T08:00:00Z' }),
)
const two = summaryOf(
  contact(2, { name: 'Maja H', email: 'maja@nordbil.example', phone: '070-123 45 67', version: 3 }),
)

function serveDuplicates(records: ContactSummary[], reasons: DuplicateReason[] = ['email']) {
  const server = { groups: [{ reason: reasons[0], reasons, records, count: records.length }] }
  network.on('GET /api/contacts/duplicates', () => ({
    body: { success: true, data: server.groups, totalItems: server.groups.length, totalPages: 1 },
  }))
  return server
}

const moved = { comments: 2, links: 0, details: 1 }

/** Makes the fake server respond to merges. With `error`, it rejects dry runs with this error. */
function serveMerge(server: { groups: unknown[] }, error?: ReturnType<typeof errorResponse>) {
  network.on('POST /api/contacts/merge', ({ body }) => {
    if (error) return error
    const isDry = (body as { dry_run?: boolean }).dry_run
    if (!isDry) server.groups = []
    return { body: { success: true, data: one, moved, ...(isDry ? {} : { batch_id: 'batch-1' }) } }
  })
}

const inputs = () => network.requests('/api/contacts/merge').map(({ body }) => body as MergeRequest)
const group = (name: string) => page.getByRole('group', { name })
const dialog = page.getByRole('dialog', { name: 'Merge records' })
const openDialog = () => page.getByRole('button', { name: 'Merge Maja Holm…' }).click()

beforeEach(() => {
  signInUser()
  servePermissions(moduleResource('contacts', 'Contacts', allPermissions))
})

test('a group of duplicates says what its records have in common, and links to them', async () => {
  serveDuplicates([one, two], ['email', 'phone'])
  open('/dashboard/contacts/duplicates')
  await expect.element(page.getByText('Same email')).toBeVisible()
  await expect.element(page.getByText('Same phone number')).toBeVisible()
  const link = page.getByRole('link', { name: 'Maja H', exact: true })
  await expect.element(link).toHaveAttribute('href', '/dashboard/contacts/id-2')
  await expect.element(page.getByText('maja@nordbil.example · 070-123 45 67')).toBeVisible()
})

test('without duplicates, the page says that none were found', async () => {
  serveDuplicates([]).groups = []
  open('/dashboard/contacts/duplicates')
  await expect.element(page.getByRole('heading', { name: 'No duplicates found' })).toBeVisible()
})

test.each(['can_update', 'can_delete'])(
  'without the permission %s there is no button to merge',
  async missing => {
    servePermissions(moduleResource('contacts', 'Contacts', { ...allPermissions, [missing]: false }))
    serveDuplicates([one, two])
    open('/dashboard/contacts/duplicates')
    await expect.element(page.getByRole('link', { name: 'Maja Holm' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: /^Merge/ })).not.toBeInTheDocument()
  },
)

test('a merge keeps the older record, fills in its empty fields from the other, and can be undone', async () => {
  const server = serveDuplicates([one, two])
  serveMerge(server)
  network.on('POST /api/history/batch-1/revert', () => ({
    body: { success: true, message: 'The records are separate again', data: {} },
  }))
  open('/dashboard/contacts/duplicates')
  await openDialog()
  await expect.element(group('Keep this record').getByRole('radio').first()).toBeChecked()
  await expect.element(group('Name').getByRole('radio').first()).toBeChecked()
  await expect.element(group('Phone').getByRole('radio').nth(1)).toBeChecked()
  await expect.element(dialog.getByText('The same in all: Email')).toBeVisible()
  await expect
    .element(dialog.getByText('Moves to the kept record: 2 comments and 1 other detail'))
    .toBeVisible()
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect.element(page.getByText('The records were merged')).toBeVisible()
  const expected = {
    keep: 'id-1',
    ids: ['id-2'],
    fields: { phone: '070-123 45 67' },
    versions: { 'id-1': 1, 'id-2': 3 },
  }
  expect(inputs().at(-1)).toEqual(expected)
  expect(inputs()[0]).toEqual({ ...expected, dry_run: true })
  await expect.element(page.getByRole('heading', { name: 'No duplicates found' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText('The records are separate again')).toBeVisible()
})

test('the user chooses which record a merge keeps and which values it gets', async () => {
  serveMerge(serveDuplicates([one, two]))
  open('/dashboard/contacts/duplicates')
  await openDialog()
  await group('Keep this record').getByRole('radio').nth(1).click()
  await expect.element(group('Phone').getByRole('radio').nth(1)).toBeChecked()
  await group('Phone').getByRole('radio').first().click()
  await group('Name').getByRole('radio').first().click()
  await userEvent.keyboard('{ArrowRight}')
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(dialog.getByText(/^Moves to/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect.element(page.getByText('The records were merged')).toBeVisible()
  expect(inputs().at(-1)).toMatchObject({
    keep: 'id-2',
    ids: ['id-1'],
    fields: { name: 'Maja Holm', phone: null },
  })
})

test('if a merged field would be invalid, its error is shown and Merge is disabled', async () => {
  const error = errorResponse(400, 'Name is required', { fields: { name: ['Name is required'] } })
  serveMerge(serveDuplicates([one, two]), error)
  open('/dashboard/contacts/duplicates')
  await openDialog()
  await expect.element(group('Name').getByText('Name is required')).toBeVisible()
  const button = dialog.getByRole('button', { name: 'Merge', exact: true })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
})

test('in the merge dialog, a value that several records share is offered only once', async () => {
  const three = summaryOf(contact(3, { name: 'Maja H', email: 'other@nordbil.example', phone: '' }))
  serveMerge(serveDuplicates([one, two, three]))
  open('/dashboard/contacts/duplicates')
  await openDialog()
  await expect.element(group('Keep this record').getByRole('radio')).toHaveLength(3)
  await expect.element(group('Name').getByRole('radio')).toHaveLength(2)
  await group('Keep this record').getByRole('radio').nth(2).click()
  await expect.element(group('Name').getByRole('radio').nth(1)).toBeChecked()
  await expect.element(dialog.getByText(/^Moves to/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect.element(page.getByText('The records were merged')).toBeVisible()
  expect(inputs().at(-1)).toMatchObject({ keep: 'id-3', fields: { phone: '070-123 45 67' } })
})

test('the merge dialog can not be closed while the merge runs', async () => {
  serveMerge(serveDuplicates([one, two]))
  open('/dashboard/contacts/duplicates')
  await openDialog()
  await expect.element(dialog.getByText(/^Moves to/)).toBeVisible()
  const release = delayResponse('POST /api/contacts/merge', () => ({
    body: { success: true, data: one, moved, batch_id: 'batch-1' },
  }))
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  await expect.element(cancel).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).toBeVisible()
  release()
  await expect.element(page.getByText('The records were merged')).toBeVisible()
})

test.each(['dry run', 'merge'])(
  'if a record has changed by the time of the %s, an error is shown, and closing the dialog reloads the list',
  async when => {
    const server = serveDuplicates([one, two])
    network.on('POST /api/contacts/merge', ({ body }) =>
      when === 'dry run' || !(body as { dry_run?: boolean }).dry_run
        ? errorResponse(409, 'One of the records has changed.')
        : { body: { success: true, data: one, moved } },
    )
    open('/dashboard/contacts/duplicates')
    await openDialog()
    if (when === 'merge') {
      await expect.element(dialog.getByText(/^Moves to/)).toBeVisible()
      await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    }
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('One of the records has changed.')
    server.groups = []
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expect.element(page.getByRole('heading', { name: 'No duplicates found' })).toBeVisible()
  },
)

/** Merges the records, but the response is lost. The app remembers that until the next attempt to merge them. */
async function mergeWithoutResponse(records: ContactSummary[]) {
  const server = serveDuplicates(records)
  network.on('POST /api/contacts/merge', ({ body }) => {
    if ((body as { dry_run?: boolean }).dry_run) return { body: { success: true, data: one, moved } }
    server.groups = []
    return failNetwork()
  })
  open('/dashboard/contacts/duplicates')
  await openDialog()
  await expect.element(dialog.getByText(/^Moves to/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
}

test('a merge whose response was lost counts as done on the next attempt', async () => {
  await mergeWithoutResponse([one, two])
  network.on('POST /api/contacts/merge', () => errorResponse(404, 'Not found.'))
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect.element(page.getByText('The records were merged')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'No duplicates found' })).toBeVisible()
})

test('after a lost response, closing the merge dialog reloads the list', async () => {
  await mergeWithoutResponse([one, summaryOf(contact(3))])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('heading', { name: 'No duplicates found' })).toBeVisible()
})

/** Makes the fake server reject merges that are based on another version of the second contact. */
function serveChange(second: ContactSummary | undefined) {
  network.on('POST /api/contacts/merge', ({ body }) => {
    const { versions, dry_run } = body as MergeRequest & { dry_run?: boolean }
    if (versions['id-2'] !== second?.version) return errorResponse(409, 'One of the records has changed.')
    return { body: { success: true, data: one, moved, ...(!dry_run && { batch_id: 'batch-1' }) } }
  })
  network.on('GET /api/contacts/id-1', () => ({ body: { success: true, data: one } }))
  network.on('GET /api/contacts/id-2', () =>
    second ? { body: { success: true, data: second } } : errorResponse(404, 'Not found'),
  )
}

test('the dialog goes on with the present records, and keeps the choices of unchanged values', async () => {
  const three = summaryOf(contact(3, { name: 'M. Holm', email: 'maja@nordbil.example' }))
  serveDuplicates([one, two, three])
  network.on('GET /api/contacts/id-3', () => ({ body: { success: true, data: three } }))
  serveChange({ ...two, name: 'Maja Ek', version: 4 })
  open('/dashboard/contacts/duplicates')
  await openDialog()
  await group('Keep this record').getByRole('radio').nth(2).click()
  await group('Name').getByRole('radio').nth(1).click()
  await group('Phone').getByRole('radio').first().click()
  await dialog.getByRole('button', { name: 'Load again' }).click()
  await expect
    .poll(() => document.activeElement?.textContent)
    .toBe('These are the present records. Check them again, then merge.')
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument()
  await expect.element(group('Keep this record').getByRole('radio').nth(2)).toBeChecked()
  // The name that was chosen has changed, so it isn't chosen any more.
  await expect.element(group('Name').getByRole('radio', { name: 'Maja Ek' })).not.toBeChecked()
  await expect.element(group('Phone').getByRole('radio').first()).toBeChecked()
  await expect.element(dialog.getByText(/^Moves to/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect.element(page.getByText('The records were merged')).toBeVisible()
  expect(inputs().at(-1)).toMatchObject({ keep: 'id-3', versions: { 'id-2': 4 } })
  expect(inputs().at(-1)?.fields).toEqual({})
})

test('if only one record is left when they are loaded again, the dialog closes and says so', async () => {
  const server = serveDuplicates([one, two])
  serveChange(undefined)
  open('/dashboard/contacts/duplicates')
  await openDialog()
  const button = dialog.getByRole('button', { name: 'Load again' })
  await expect.element(button).toBeVisible()
  server.groups = []
  await button.click()
  await expect.element(page.getByText('Too few of these records are left to merge.')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'No duplicates found' })).toBeVisible()
})

test('another choice aborts the dry run of the earlier choices', async () => {
  serveDuplicates([one, two])
  network.on('POST /api/contacts/merge', () => new Promise(() => {}))
  open('/dashboard/contacts/duplicates')
  await openDialog()
  await expect.poll(inputs).toHaveLength(1)
  await group('Keep this record').getByRole('radio').nth(1).click()
  await expect
    .poll(() => network.requests('/api/contacts/merge').map(call => call.signal.aborted))
    .toEqual([true, false])
})

test('two selected rows of the list can be merged', async () => {
  serveContactCount(3)
  network.on('POST /api/contacts/merge', () => ({ body: { success: true, data: one, moved } }))
  open('/dashboard/contacts')
  await page.getByRole('checkbox', { name: 'Select Person 1', exact: true }).click()
  const button = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Merge…' })
  await expect.element(button).not.toBeInTheDocument()
  await page.getByRole('checkbox', { name: 'Select Person 2', exact: true }).click()
  await button.click()
  await expect.element(group('Email').getByRole('radio')).toHaveLength(2)
})

test('the merge dialog offers no choice of values that follow from agreements', async () => {
  openCustomers([customer(1, { totalSpent: 900, hasFigures: true }), customer(2, { totalSpent: 5 })])
  network.on('POST /api/customers/merge', () => ({ body: { success: true, data: customer(1), moved } }))
  for (const name of ['Select Maja Holm 1', 'Select Maja Holm 2']) {
    await page.getByRole('checkbox', { name, exact: true }).click()
  }
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Merge…' }).click()
  await expect.element(group('Email').getByRole('radio')).toHaveLength(2)
  await expect.element(group('Total spent')).not.toBeInTheDocument()
  await expect.element(page.getByText(/^These values follow from the agreements:.*Total spent/)).toBeVisible()
})

test('the selection bar says why too many selected rows can not be merged', async () => {
  serveContactCount(30)
  open('/dashboard/contacts')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('link', { name: 'Page 2' }).click()
  await page.getByRole('checkbox', { name: 'Select Person 11', exact: true }).click()
  const button = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Merge…' })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await button.click({ force: true })
  await expect
    .element(page.getByText('At most 10 records can be merged at once. Select fewer.'))
    .toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('checkbox', { name: 'Select Person 11', exact: true }).click()
  await page.getByRole('link', { name: 'Page 1' }).click()
  await page.getByRole('checkbox', { name: 'Select Person 1', exact: true }).click()
  await button.click({ force: true })
  await expect.element(page.getByText('Only records on the same page can be merged.')).toBeVisible()
  expect(page.getByRole('dialog').elements()).toHaveLength(0)
})

test('the form of a new contact names an existing one with the same email', async () => {
  serveContactCount(1)
  serveDuplicates([two])
  open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Add New Contact' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill('maja@nordbil.example')
  await expect.element(page.getByText('Maja H has the same email.')).toBeVisible()
  const link = page.getByRole('link', { name: 'Open Maja H in a new tab' })
  await expect.element(link).toHaveAttribute('href', '/dashboard/contacts/id-2')
  await expect.element(link).toHaveAttribute('target', '_blank')
  const [request] = network.requests('/api/contacts/duplicates')
  expect(request?.query.get('email')).toBe('maja@nordbil.example')
})

import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { HistoryEntry } from '~/core'
import { change, entry, serveHistory } from '~/test/history'
import { errorResponse, network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser, textsOf } from '~/test/open'
import { allPermissions, noPermissions } from '~/test/rights'

const titles: Record<string, string> = {
  contacts: 'Contacts',
  customers: 'Customers',
  invoices: 'Invoices',
  users: 'Users Management',
  roles: 'Roles Management',
  history: 'History',
}

/** Signs in a user who has all permissions except on these resources. */
const serveResources = (...forbidden: string[]) =>
  servePermissions(
    ...Object.entries(titles).map(([id, title]) =>
      moduleResource(id, title, forbidden.includes(id) ? noPermissions : allPermissions),
    ),
  )

const list = page.getByRole('region', { name: 'Entries' })
const items = list.getByRole('listitem')
const terms = () => textsOf(list.getByRole('term'))
const values = () => textsOf(list.getByRole('definition'))
const select = (name: string) => page.getByRole('combobox', { name, exact: true })
const link = (name: string) => list.getByRole('link', { name, exact: true })

/** Chooses an option of a filter. */
async function choose(filter: string, option: string) {
  await select(filter).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Returns the parameters of the latest request for entries. */
const latestQuery = () => Object.fromEntries(network.requests('/api/history').at(-1)?.query ?? [])

/** Opens the history with one entry, and returns its sentence. */
async function sentenceOf(more: Partial<HistoryEntry>) {
  serveHistory([entry(1, { changes: [], label: 'Elsa Nyström', record_id: 'r-1', ...more })])
  open('/dashboard/history')
  await expect.element(items.first()).toBeVisible()
  return items.first().element().querySelector('p')?.textContent
}

beforeEach(() => {
  signInUser()
  serveResources()
  network.on('GET /api/users', () => ({
    body: {
      success: true,
      data: [{ user_id: 'u2', first_name: 'Bo', last_name: 'Ek' }],
      totalItems: 1,
      totalPages: 1,
    },
  }))
})

const contacts = { resource: 'contacts' }
const bulk = { record_id: '', label: '', records: 212 }

test.each([
  ['created the customer Elsa Nyström', { action: 'created' }],
  ['changed Elsa Nyström', {}],
  ['changed Address of Elsa Nyström', { changes: [change('address', 'a', 'b')] }],
  ['changed 2 fields of Elsa Nyström', { changes: [change('address', 'a', 'b'), change('name', 'a', 'b')] }],
  ['restored the contact Elsa Nyström', { ...contacts, action: 'restored' }],
  ['permanently deleted the contact Elsa Nyström', { ...contacts, action: 'purged' }],
  ['created the contact (no name)', { ...contacts, action: 'created', label: '' }],
  ['deleted the invoice for Elsa Nyström', { resource: 'invoices', action: 'deleted' }],
  [
    'changed Project price of the invoice for Elsa',
    { resource: 'invoices', label: 'Elsa', changes: [change('projectPrice', 1, 2)] },
  ],
  ['deleted 212 contacts', { ...contacts, ...bulk, action: 'deleted' }],
  [
    'undid the import of 212 contacts from a.csv',
    { ...contacts, ...bulk, action: 'deleted', label: 'a.csv' },
  ],
  ['restored 212 contacts imported from a.csv', { ...contacts, ...bulk, action: 'restored', label: 'a.csv' }],
  ['changed 1 invoice', { ...bulk, resource: 'invoices', records: 1 }],
  [
    'imported 212 contacts from massan.xlsx',
    { ...contacts, ...bulk, action: 'imported', label: 'massan.xlsx' },
  ],
  [
    'deleted the import of a.csv',
    { resource: 'contacts.imports', action: 'deleted', label: 'a.csv', undo: undefined },
  ],
  ['exported contacts as CSV', { ...contacts, action: 'exported', record_id: '', label: 'csv' }],
  ['exported users as Excel', { resource: 'users', action: 'exported', record_id: '', label: 'xlsx' }],
  ['changed the corporation', { resource: 'corporations', label: 'the corporation' }],
  [
    'approved Ny Bil AB',
    { resource: 'corporations', label: 'Ny Bil AB', changes: [change('awaits_approval', true, false)] },
  ],
  [
    'declined the sign-up of the corporation Ny Bil AB',
    { resource: 'corporations', action: 'declined', label: 'Ny Bil AB' },
  ],
] as const)('an entry reads as a sentence: %s', async (sentence, more) => {
  expect(await sentenceOf({ ...more, changes: 'changes' in more ? [...more.changes] : [] })).toBe(
    `Ada Lindqvist ${sentence}`,
  )
})

const erased = { erased: true }
const user = { resource: 'users', record_id: 'u2', label: 'Bo Ek' }
const contact = { resource: 'contacts', record_id: 'c2', label: 'Bo Ek' }
const self = { resource: 'users', record_id: 'u1', label: 'Ada Lindqvist' }

test.each([
  ['created the user Bo Ek', { ...user, action: 'created' }],
  ['changed the password of Bo Ek', { ...user, changes: [change('password')] }],
  ['changed their password', { ...self, changes: [change('password')] }],
  ['changed their picture', { ...self, changes: [change('picture')] }],
  ['changed Mobile of their account', { ...self, changes: [change('mobile', '1', '2')] }],
  ['banned Bo Ek', { ...user, changes: [change('banned', false, true)] }],
  ['lifted the ban of Bo Ek', { ...user, changes: [change('banned', true, false)] }],
  ['changed Banned of Bo Ek', { ...user, changes: [change('banned', erased, erased)] }],
  ['deactivated Bo Ek', { ...user, changes: [change('is_active', true, false)] }],
  ['signed in with Firefox on Linux', { ...self, action: 'signed_in', label: 'Firefox on Linux' }],
  ['signed out of an unknown device', { ...self, action: 'signed_out', label: '' }],
  ['commented on Bo Ek', { ...contact, changes: [change('comments', undefined, 'Called')] }],
  ['changed a comment on Bo Ek', { ...contact, changes: [change('comments', 'Called', 'Mailed')] }],
  ['deleted a comment on Bo Ek', { ...contact, changes: [change('comments', 'Called')] }],
  ['deleted the role Sales', { resource: 'roles', action: 'deleted', label: 'Sales' }],
  [
    'changed the permissions of Sales',
    {
      resource: 'roles',
      label: 'Sales',
      changes: [change('permissions.contacts', 'read'), change('permissions.users')],
    },
  ],
] as const)('an entry of users or roles reads as a sentence: %s', async (sentence, more) => {
  expect(await sentenceOf({ ...more, changes: 'changes' in more ? [...more.changes] : [] })).toBe(
    `Ada Lindqvist ${sentence}`,
  )
})

test("an entry with an unknown action shows only the actor's name", async () => {
  expect(await sentenceOf({ action: 'archived' })).toBe('Ada Lindqvist')
})

test('entries are grouped by day, and values are formatted by the kind of field', async () => {
  serveHistory([
    entry(4, { ...user, at: new Date().toISOString(), changes: [change('google')] }),
    entry(3, {
      resource: 'roles',
      label: 'Sales',
      changes: [change('name', 'Sale', 'Sales'), change('permissions.contacts', undefined, 'read, create')],
    }),
    entry(2, {
      resource: 'corporations',
      label: 'Nordbil AB',
      changes: [
        change('allowed_resources', 'contacts', 'contacts, invoices'),
        change('country', 'GB', 'SE'),
        change('logo'),
      ],
    }),
    entry(1, {
      history_id: 'h-0',
      changes: [change('latestPurchase', '2026-01-31'), change('totalSpent', 0, 1)],
    }),
  ])
  open('/dashboard/history')
  await expect.element(items.nth(3)).toBeVisible()
  expect(terms()).toEqual([
    'Google',
    'Name',
    'Contacts',
    'Resources',
    'Country',
    'Logo',
    'Latest purchase',
    'Total spent',
  ])
  expect(values()).toEqual([
    'The value is not recorded',
    'Before: SaleAfter: Sales',
    'noneAfter: View, Add',
    'Before: ContactsAfter: Contacts, Invoices',
    'Before: United KingdomAfter: Sweden',
    'changed',
    'Before: Jan 31, 2026empty',
    'Before: £0After: £1',
  ])
  expect(textsOf(list.getByRole('heading', { level: 2 }))).toEqual(['Today', 'Nov 20, 2026'])
})

test('the values of a deleted record expand', async () => {
  serveHistory([
    entry(1, { action: 'deleted', changes: [change('name', 'Maja'), change('telephone', '070')] }),
  ])
  open('/dashboard/history')
  await list.getByRole('button', { name: '2 fields', exact: true }).click()
  expect(terms()).toEqual(['Name', 'Telephone'])
})

test('a record that the user can open is a link', async () => {
  serveResources('contacts')
  serveHistory([
    entry(6, { resource: 'customers', record_id: 'c-1', label: 'Elsa' }),
    entry(5, { resource: 'invoices', record_id: 'i-1', label: 'Bil AB' }),
    entry(4, { resource: 'contacts', record_id: 'p-1', label: 'Forbidden' }),
    entry(3, { action: 'deleted', label: 'Deleted', is_deleted: true }),
    entry(2, { resource: 'customers', record_id: 'c-2', label: 'In the trash', is_deleted: true }),
    entry(1, user),
  ])
  open('/dashboard/history')
  await expect.element(items.nth(5)).toBeVisible()
  const links = items.getByRole('link').elements()
  expect(links.map(each => [each.textContent, each.getAttribute('href')])).toEqual([
    ['Elsa', '/dashboard/customers/c-1'],
    ['Bil AB', '/dashboard/invoices/i-1'],
  ])
})

test("a bulk action's entry links to those of its records, which link back", async () => {
  const server = serveHistory([entry(1, { ...contacts, ...bulk, action: 'deleted', changes: [] })])
  const { address } = open('/dashboard/history?action=deleted')
  await expect.element(link('Show the 212 changes')).toBeVisible()
  server.entries = [3, 2].map(number => entry(number, { ...contacts, action: 'deleted', changes: [] }))
  await link('Show the 212 changes').click()
  await expect.poll(address).toBe('/dashboard/history?batch_id=h-1')
  // The first item is the filter.
  await expect.element(items.nth(1)).toHaveFocus()
  await expect.poll(latestQuery).toEqual({ batch_id: 'h-1', page: '1', limit: '20' })
  await list.getByRole('link', { name: 'One bulk action' }).click()
  await expect.poll(address).toBe('/dashboard/history')
  await expect.element(list).toHaveFocus()
})

test("an import's entry links to the imported contacts", async () => {
  serveHistory([entry(1, { ...contacts, ...bulk, action: 'imported', label: 'massan.xlsx' })])
  open('/dashboard/history')
  await expect
    .element(link('Show the imported contacts'))
    .toHaveAttribute('href', '/dashboard/contacts?importBatchId=h-1')
})

test('the filters of the history are in the URL and in the request', async () => {
  serveHistory([entry(1)])
  const { address, go } = open('/dashboard/history?page=2')
  await choose('Kind of record', 'Customers')
  await expect.poll(address).toBe('/dashboard/history?resource=customers')
  await choose('Action', 'Changed')
  await choose('User', 'Bo Ek')
  await expect.poll(address).toBe('/dashboard/history?resource=customers&action=updated&user=u2')
  const filters = { resource: 'customers', action: 'updated', user: 'u2', page: '1', limit: '20' }
  await expect.poll(latestQuery).toEqual(filters)
  expect(Object.fromEntries(network.requests('/api/users')[0]?.query ?? [])).toMatchObject({ limit: '100' })
  await choose('Time', 'Last 7 days')
  await expect.poll(address).toMatch(/&period=week$/)
  const from = new Date()
  from.setHours(0, 0, 0, 0)
  from.setDate(from.getDate() - 6)
  await expect.poll(latestQuery).toEqual({ ...filters, from: from.toISOString() })
  await go(-1)
  await expect.element(select('Time')).toHaveTextContent('Any time')
})

test('on a tablet a filter shows the whole name of its choice', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(768, 1024)
  serveHistory([entry(1)])
  open('/dashboard/history?action=erased')
  const name = select('Action').getByText('Personal data erased')
  await expect.element(name).toBeVisible()
  expect(name.element().scrollWidth).toBeLessThanOrEqual(name.element().clientWidth)
})

test('a custom period includes its first and its last day', async () => {
  serveHistory([entry(1)])
  const { address } = open('/dashboard/history')
  await choose('Time', 'Custom')
  await page.getByLabelText('From').fill('2026-11-20')
  await page.getByLabelText('To', { exact: true }).fill('2026-11-19')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText('Choose a later day')).toBeVisible()
  await page.getByLabelText('To', { exact: true }).fill('2026-11-22')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(address).toBe('/dashboard/history?period=custom&from=2026-11-20&to=2026-11-22')
  await expect.poll(latestQuery).toMatchObject({
    from: new Date(2026, 10, 20).toISOString(),
    to: new Date(2026, 10, 23).toISOString(),
  })
})

test('the filters offer what may be read, and persons only with access to users', async () => {
  serveResources('invoices', 'users', 'roles')
  serveHistory([entry(1)])
  open('/dashboard/history?user=u9')
  await select('Kind of record').click()
  await expect.element(page.getByRole('option', { name: 'Everything' })).toBeVisible()
  expect(textsOf(page.getByRole('option'))).toEqual(['Everything', 'Customers', 'Contacts', 'Corporations'])
  expect(select('User').elements()).toHaveLength(0)
  expect(network.requests('/api/users')).toHaveLength(0)
})

test('a user in the URL who is not among the choices is shown as "Another user"', async () => {
  serveHistory([entry(1)])
  open('/dashboard/history?user=u9')
  await expect.element(select('User')).toHaveTextContent('Another user')
})

test('a link leads to the next page of the history, keeping the filters', async () => {
  serveHistory(Array.from({ length: 21 }, (_, index) => entry(21 - index)))
  const { address } = open('/dashboard/history?resource=customers')
  await expect.element(list.getByText('Showing 1 to 20 of 21 entries')).toBeVisible()
  await list.getByRole('link', { name: 'Next page' }).click()
  await expect.poll(address).toBe('/dashboard/history?page=2&resource=customers')
  await expect.element(list.getByText('Showing 21 to 21 of 21 entries')).toBeVisible()
})

test('an empty history says that nothing is recorded yet', async () => {
  serveHistory([])
  open('/dashboard/history')
  await expect.element(page.getByRole('heading', { name: 'Nothing recorded yet' })).toBeVisible()
})

test('if no entry matches the filters, a link shows all entries', async () => {
  serveHistory([])
  const { address } = open('/dashboard/history?period=today')
  await expect.element(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await link('Show everything').click()
  await expect.poll(address).toBe('/dashboard/history')
})

test('a failed request can be retried', async () => {
  network.on('GET /api/history', () => errorResponse(503, 'The server is busy.'))
  open('/dashboard/history')
  await expect.element(page.getByText('Failed to load the history')).toBeVisible()
  serveHistory([entry(1)])
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(items.first()).toBeVisible()
})

test('a filter that the server rejects can be removed', async () => {
  network.on('GET /api/history', () => errorResponse(400, 'Choose one of: created, updated.'))
  open('/dashboard/history?action=sold')
  await expect.element(page.getByText('Choose one of: created, updated.')).toBeVisible()
  await expect.element(link('Show everything')).toHaveAttribute('href', '/dashboard/history')
})

test('a user who may not read the history can not open its page', async () => {
  serveResources('history')
  open('/dashboard/history')
  await expect.element(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible()
  expect(list.elements()).toHaveLength(0)
})

test('the profile menu leads to the history', async () => {
  serveHistory([])
  const { address } = open('/dashboard/profile')
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  await expect.poll(address).toBe('/dashboard/history')
})

test('on a phone the filters take two rows and nothing overflows the page', async () => {
  await page.viewport(360, 740)
  try {
    serveHistory([entry(1, { label: 'x'.repeat(200) })])
    open('/dashboard/history?period=custom')
    await expect.element(items.first()).toBeVisible()
    await expect.element(select('User')).toBeVisible()
    const filters = document.querySelector('search')
    const tops = [...(filters?.querySelectorAll('[role=combobox]') ?? [])].map(
      each => each.getBoundingClientRect().top,
    )
    expect(new Set(tops).size).toBe(2)
    for (const part of list.element().querySelectorAll('*')) {
      expect(part.getBoundingClientRect().right).toBeLessThanOrEqual(360)
    }
  } finally {
    await page.viewport(1280, 800)
  }
})

import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Permissions } from '~/core'
import { contact } from '~/test/contacts'
import { customer, pageOf } from '~/test/customers'
import { invoice } from '~/test/invoices'
import { deferred, errorResponse, network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser, textsOf } from '~/test/open'
import { allPermissions, noPermissions, readPermission } from '~/test/rights'
import { failNetwork } from '~/test/signIn'

const button = page.getByRole('button', { name: 'Find anything' })
const palette = page.getByRole('dialog', { name: 'Find anything' })
const input = palette.getByRole('combobox', { name: 'Search screens, actions and records' })
const option = (name: string | RegExp) => palette.getByRole('option', { name })
const options = () => textsOf(palette.getByRole('option'))
const chosen = () => {
  const id = input.element().getAttribute('aria-activedescendant')
  return id ? document.getElementById(id)?.textContent : undefined
}

/** Opens the dashboard for a user with these permissions. */
async function openDashboard(
  rights: Partial<Record<'customers' | 'invoices' | 'contacts' | 'users', Permissions>>,
) {
  signInUser()
  const titles = {
    customers: 'Customers',
    invoices: 'Invoices',
    contacts: 'Contacts',
    users: 'Users Management',
  }
  const resources = Object.entries(titles).map(([id, title]) =>
    moduleResource(id, title, rights[id as keyof typeof titles] ?? noPermissions),
  )
  servePermissions(...resources)
  const app = open('/dashboard')
  await expect.element(button).toBeVisible()
  return app
}

function serveCustomers(...names: string[]) {
  const all = names.map((name, index) => customer(index + 1, { name }))
  network.on('GET /api/customers', call => pageOf(all, call))
  for (const data of all) {
    network.on(`GET /api/customers/${data.customer_id}`, () => ({ body: { success: true, data } }))
  }
}
const serveContacts = (...names: string[]) =>
  network.on('GET /api/contacts', () => ({
    body: {
      success: true,
      data: names.map((name, index) => contact(index + 1, { name })),
      pagination: { currentPage: 1, totalPages: 1, totalContacts: names.length },
    },
  }))

const press = (keys: string) => userEvent.keyboard(keys)
async function find(text: string) {
  await press('{Control>}k{/Control}')
  await expect.element(input).toHaveFocus()
  await press(text)
}

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 800)
})

test('shortcut and button open the palette; Escape closes it and restores focus', async () => {
  await openDashboard({ customers: allPermissions })
  const home = page.getByRole('link', { name: /home$/ })
  home.element().focus()
  await press('{Control>}k{/Control}')
  await expect.element(input).toHaveFocus()
  await press('{Escape}')
  await expect.element(palette).not.toBeInTheDocument()
  await expect.element(home).toHaveFocus()
  await button.click()
  await expect.element(input).toHaveFocus()
  await press('{Control>}k{/Control}')
  await expect.element(palette).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
})

test('offers only the pages and actions that the user has permission for', async () => {
  await openDashboard({
    customers: allPermissions,
    invoices: readPermission,
    users: { ...readPermission, can_create: true },
  })
  await button.click()
  await expect.element(option('Dashboard')).toBeVisible()
  expect(options()).toEqual([
    'Dashboard',
    'Customers',
    'Invoices',
    'Users Management',
    'Subscriptions',
    'Trash',
    'Personal data',
    'Profile',
    'New customer',
    'New user',
    'Colour scheme: Light',
    'Colour scheme: Dark',
    'Colour scheme: SystemChosen',
    'Keyboard shortcuts',
    'Sign out',
  ])
})

test('finds a page by part of its name and opens it by keyboard', async () => {
  serveCustomers()
  serveContacts()
  const app = await openDashboard({ customers: allPermissions, contacts: allPermissions })
  await find('c')
  await expect.poll(chosen).toBe('Customers')
  await press('{ArrowDown}')
  await expect.poll(chosen).toBe('Contacts')
  await press('{Enter}')
  await expect.poll(app.address).toBe('/dashboard/contacts')
  await expect.element(palette).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
})

test('matches words in any order and by keywords', async () => {
  await openDashboard({ customers: allPermissions })
  await find('customer create')
  await expect.poll(options).toEqual(['New customer'])
  await input.fill('dark mode')
  await expect.poll(options).toEqual(['Colour scheme: Dark'])
})

test('searches records on the server after the typing delay', async () => {
  serveCustomers('Maja Holm')
  serveContacts('Maja Lind')
  network.on('GET /api/invoices', () => ({
    headers: { 'X-Total-Count': '1' },
    body: [invoice(1, { customer: 'Majas Bilar' })],
  }))
  const app = await openDashboard({
    customers: allPermissions,
    contacts: allPermissions,
    invoices: readPermission,
  })
  await find('maja')
  await expect.element(option(/Majas Bilar/)).toBeVisible()
  expect(options()).toEqual([
    'Maja HolmC-1001 · maja1@mail.example',
    expect.stringMatching(/^Majas Bilar.*1,250/),
    'Maja Lindperson1@nordbil.example',
  ])
  for (const [path, name] of [
    ['customers', 'searchTerm'],
    ['contacts', 'search'],
    ['invoices', 'search'],
  ] as const)
    expect(network.requests(`/api/${path}`).map(({ query }) => query.get(name))).toEqual(['maja'])
  await option(/Maja Lind/).click()
  await expect.poll(app.address).toBe('/dashboard/contacts/id-1')
})

test('does not search unreadable resources, nor for a single letter', async () => {
  serveContacts('Maja Lind')
  await openDashboard({ contacts: readPermission, customers: { ...noPermissions, can_create: true } })
  await find('m')
  await expect.element(palette.getByText(/at least two characters/)).not.toBeInTheDocument()
  await press('aj')
  await expect.element(option(/Maja Lind/)).toBeVisible()
  const searched = network.requests('/api/contacts').map(({ query }) => query.get('search'))
  expect(searched.at(-1)).toBe('maj')
  expect(searched).not.toContain('m')
  expect(network.requests('/api/customers')).toEqual([])
})

test('does not search contacts if only imports are readable', async () => {
  serveCustomers('Maja Holm')
  signInUser()
  const imports = moduleResource('contacts.imports', 'Imports', readPermission)
  const contacts = {
    ...moduleResource('contacts', 'Contacts', noPermissions),
    has_subresources: true,
    subresources: [imports],
  }
  servePermissions(moduleResource('customers', 'Customers', readPermission), contacts)
  open('/dashboard')
  await expect.element(button).toBeVisible()
  await find('maja')
  await expect.element(option(/Maja Holm/)).toBeVisible()
  expect(network.requests('/api/contacts')).toEqual([])
})

test('aborts an outdated search and ignores its response', async () => {
  const first = deferred()
  network.on('GET /api/contacts', async ({ query }) => {
    const search = query.get('search') ?? ''
    if (search === 'ma') await first.wait
    const data = [contact(1, { name: `Found by ${search}` })]
    const pagination = { currentPage: 1, totalPages: 1, totalContacts: 1 }
    return { body: { success: true, data, pagination } }
  })
  await openDashboard({ contacts: readPermission })
  await find('ma')
  await expect.element(palette.getByText('Searching')).toBeVisible()
  const listRequests = () => network.requests('/api/contacts')
  await expect.poll(listRequests).toHaveLength(1)
  expect(listRequests()[0]?.signal.aborted).toBe(false)
  await press('ja')
  expect(listRequests()[0]?.signal.aborted).toBe(true)
  first.release()
  await expect.element(option(/Found by maja/)).toBeVisible()
  expect(options()).toEqual([expect.stringContaining('Found by maja')])
  expect(listRequests().at(-1)?.query.get('search')).toBe('maja')
})

test('opens the page of a customer', async () => {
  serveCustomers('Maja Holm', 'Maja Holm')
  const app = await openDashboard({ customers: allPermissions })
  await find('holm')
  await option(/maja2@mail.example/).click()
  await expect.poll(app.address).toBe('/dashboard/customers/c-2')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Maja Holm' })).toHaveFocus()
})

test('links to the list if there are more results than the palette shows', async () => {
  serveCustomers(...Array.from({ length: 12 }, (_, index) => `Holm ${index}`))
  const app = await openDashboard({ customers: readPermission })
  await find('holm')
  await option('All 12 in Customers').click()
  await expect.poll(app.address).toBe('/dashboard/customers?search=holm')
})

test('offers recently opened records first', async () => {
  serveCustomers('Maja Holm')
  await openDashboard({ customers: readPermission })
  await find('holm')
  await option(/Maja Holm/).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Maja Holm' })).toBeVisible()
  await button.click()
  await expect.poll(() => options()[0]).toBe('Maja HolmC-1001 · maja1@mail.example')
  await press('{Enter}')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Maja Holm' })).toBeVisible()
  expect(sessionStorage.getItem('draft recently opened')).toContain('Maja Holm')
})

test('a create action opens the form from any page, and only once', async () => {
  serveCustomers('Maja Holm')
  const app = await openDashboard({ customers: allPermissions })
  await find('new cust')
  await press('{Enter}')
  const form = page.getByRole('dialog', { name: 'Add New Customer' })
  await expect.element(form).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/customers')
  await press('{Escape}')
  await expect.element(form).not.toBeInTheDocument()
  await app.go(-1)
  await app.go(1)
  await expect.element(page.getByRole('button', { name: 'New Customer' })).toBeVisible()
  await expect.element(form).not.toBeInTheDocument()
})

test("a create action on its own page keeps the list's search", async () => {
  serveCustomers('Maja Holm')
  const app = await openDashboard({ customers: allPermissions })
  await app.visit('/dashboard/customers?search=holm')
  await expect.element(page.getByText('Showing 1 to 1 of 1 item')).toBeVisible()
  await find('new customer')
  await press('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Add New Customer' })).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/customers?search=holm')
})

test('names the searches that failed and retries them', async () => {
  serveContacts('Maja Lind')
  network.on('GET /api/customers', () =>
    errorResponse(503, 'The server is busy. Please try again in a moment.'),
  )
  await openDashboard({ contacts: readPermission, customers: readPermission })
  await find('maja')
  await expect
    .element(palette.getByRole('alert'))
    .toHaveTextContent("Couldn't search Customers. The server is busy. Please try again in a moment.")
  await expect.element(option(/Maja Lind/)).toBeVisible()
  serveCustomers('Maja Holm')
  await palette.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(option(/Maja Holm/)).toBeVisible()
  await expect.element(palette.getByRole('alert')).not.toBeInTheDocument()
})

test('ignores a 403 for a permission that was revoked', async () => {
  serveContacts('Maja Lind')
  network.on('GET /api/customers', () => errorResponse(403, "You don't have permission to do this."))
  await openDashboard({ contacts: readPermission, customers: readPermission })
  await find('maja')
  await expect.element(option(/Maja Lind/)).toBeVisible()
  await expect.element(palette.getByRole('alert')).not.toBeInTheDocument()
})

test('says that nothing was found', async () => {
  serveContacts()
  await openDashboard({ contacts: readPermission })
  await find('zzz')
  await expect
    .element(palette.getByRole('status'))
    .toHaveTextContent('No results for “zzz”. Try part of a name or email address.')
})

test('offers pages and actions without a connection, and says why there are no records', async () => {
  network.on('GET /api/contacts', failNetwork)
  await openDashboard({ contacts: readPermission })
  await find('profile')
  await expect.element(palette.getByText(/No connection to the server/)).toBeVisible()
  await expect.element(option('Profile')).toBeVisible()
})

test('is full screen on a phone and opens by a button', async () => {
  await page.viewport(360, 740)
  await openDashboard({ customers: allPermissions })
  await button.click()
  await expect.element(option('Dashboard')).toBeVisible()
  const size = () => {
    const { width, height } = palette.element().getBoundingClientRect()
    return [width, height]
  }
  await expect.poll(size).toEqual([360, 740])
  await palette.getByRole('button', { name: 'Close' }).click()
  await expect.element(button).toHaveFocus()
})

test('on a phone, the name of a record has the whole line, above its details', async () => {
  await page.viewport(360, 740)
  serveCustomers('Isaksson Transport och Logistik AB')
  await openDashboard({ customers: allPermissions })
  await button.click()
  await input.fill('isaksson')
  const name = option(/^Isaksson/).getByText(/^Isaksson/)
  await expect.element(name).toBeVisible()
  expect(name.element().scrollWidth).toBe(name.element().clientWidth)
})

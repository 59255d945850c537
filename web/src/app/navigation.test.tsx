import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PermissionResource, Permissions } from '~/core'
import { errorResponse, network } from '~/test/network'
import { open, servePermissions, signInUser, textsOf } from '~/test/open'
import { allPermissions as all, noPermissions as none } from '~/test/rights'

/** Returns a resource with these permissions of the signed-in user. */
const resource = (
  resource_id: string,
  title: string,
  permissions: Permissions = all,
  more: Partial<PermissionResource> = {},
): PermissionResource => ({
  resource_id,
  title,
  route: `/dashboard/${resource_id.replace('.', '/')}`,
  icon: 'list',
  position: 1,
  has_subresources: false,
  subresources: [],
  permissions,
  allowed: true,
  ...more,
})

const customers = resource('customers', 'Customers')
const invoices = resource('invoices', 'Invoices', none, { position: 2, allowed: false })
const contacts = (permissions: Permissions = all) =>
  resource('contacts', 'Contacts', permissions, {
    position: 3,
    has_subresources: true,
    subresources: [
      resource('contacts.list', 'All contacts', permissions, { route: '/dashboard/contacts' }),
      resource('contacts.imports', 'Imports', permissions, { position: 2 }),
    ],
  })
const users = (permissions: Permissions) =>
  resource('users', 'Users Management', permissions, { position: 4 })

const serveNoContacts = () =>
  network.on('GET /api/contacts', () => ({
    body: { success: true, data: [], pagination: { currentPage: 1, totalPages: 1, totalContacts: 0 } },
  }))

const nav = page.getByRole('navigation', { name: 'Main' })
const permissionRequests = () => network.requests('/api/rbac/user-permissions').length

/** Advances the fake clock by `ms`. */
function advanceClock(ms: number) {
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now + ms)
}
const focusWindow = () => window.dispatchEvent(new Event('focus'))

afterEach(() => vi.restoreAllMocks())

test('a submenu opens by arrow keys, navigates, and marks the current page', async () => {
  signInUser()
  servePermissions(customers, contacts())
  serveNoContacts()
  const app = open('/dashboard')
  const trigger = nav.getByRole('button', { name: 'Contacts' })
  await expect.element(trigger).not.toHaveAttribute('aria-current')
  trigger.element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('menuitem', { name: 'All contacts' })).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('menuitem', { name: 'Imports' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(trigger).toHaveFocus()
  await userEvent.keyboard('{Enter}{ArrowDown}{Enter}')
  await expect.poll(app.address).toBe('/dashboard/contacts/imports')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  await expect.element(trigger).toHaveAttribute('aria-current', 'true')
  await trigger.click()
  await expect
    .element(page.getByRole('menuitem', { name: 'Imports' }))
    .toHaveAttribute('aria-current', 'page')
  await expect
    .element(page.getByRole('menuitem', { name: 'All contacts' }))
    .not.toHaveAttribute('aria-current')
})

test.each(['/dashboard', '/dashboard/admin'])('at %s, the Home tab of a phone is marked', async address => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  open(address)
  const tabs = page.getByRole('navigation', { name: 'Tabs' })
  await expect.element(tabs.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
})

test('More on a phone has the account pages of the profile menu', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  servePermissions(customers, users(all))
  const app = open('/dashboard')
  const more = page.getByRole('button', { name: 'More' })
  await more.click()
  const panel = page.getByRole('dialog')
  const account = panel.getByRole('navigation', { name: 'Account' })
  await expect.element(account).toBeVisible()
  expect(textsOf(account.getByRole('link'))).toEqual(['Subscriptions', 'Trash', 'Personal data', 'Profile'])
  await account.getByRole('link', { name: 'Subscriptions' }).click()
  await expect.poll(app.address).toBe('/dashboard/subscriptions')
  await expect.element(more).toHaveAttribute('aria-current', 'true')
})

test('in a narrow window a long email is cut, not the brand', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1024, 740)
  const email = 'margarethe.vandenberg@kestrelcars.example'
  signInUser(all, 'Admin', { email })
  servePermissions(
    ...['Vehicles', 'Customers', 'Agreements', 'Invoices'].map(title => resource(title.toLowerCase(), title)),
    contacts(),
  )
  open('/dashboard')
  const banner = page.getByRole('banner')
  await expect.element(banner.getByTitle('Forecourt')).toBeVisible()
  const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth
  expect(isCut(banner.getByTitle('Forecourt').element())).toBe(false)
  expect(isCut(banner.getByText(email).element())).toBe(true)
  expect(isCut(nav.element())).toBe(false)
})

test('the heading of a new page does not take the focus while that moves on', async () => {
  signInUser()
  servePermissions(customers, contacts())
  serveNoContacts()
  const app = open('/dashboard')
  await nav.getByRole('button', { name: 'Contacts' }).click()
  await page.getByRole('menuitem', { name: 'All contacts' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Contacts' })).toHaveFocus()
  const search = page.getByRole('button', { name: 'Find anything' })
  search.element().focus()
  // The page changes while nothing has the focus.
  const main = page.getByRole('main').element()
  search.element().addEventListener('focusout', () => main.append(document.createElement('p')))
  await userEvent.keyboard('{Tab}')
  await expect.poll(() => main.lastElementChild?.tagName).toBe('P')
  await expect.poll(() => document.activeElement?.tagName).toBe('BUTTON')
})

test('a module without a subscription shows an upgrade banner until the user closes that', async () => {
  signInUser()
  servePermissions(customers, invoices, resource('users', 'Users Management', none, { allowed: false }))
  const app = open('/dashboard/invoices')
  const banner = page.getByText('Upgrade Required for Invoices')
  await expect.element(banner).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible()
  await expect.element(page.getByText("Invoices isn't included yet")).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'View subscriptions' }))
    .toHaveAttribute('href', '/dashboard/subscriptions')
  await expect.element(nav.getByRole('link', { name: 'Customers' })).toBeVisible()
  expect(nav.getByRole('link', { name: 'Invoices' }).elements()).toEqual([])

  await page.getByRole('button', { name: 'Close the upgrade notice' }).click()
  await expect.element(banner).not.toBeInTheDocument()
  await expect.element(page.getByRole('main')).toHaveFocus()
  await nav.getByRole('link', { name: 'Customers' }).click()
  await app.go(-1)
  await expect.element(page.getByText("Invoices isn't included yet")).toBeVisible()
  await expect.element(banner).not.toBeInTheDocument()
})

test('a closed upgrade banner reappears after another module without a subscription was opened', async () => {
  signInUser()
  servePermissions(invoices, resource('customers', 'Customers', none, { allowed: false }))
  const app = open('/dashboard/invoices')
  await page.getByRole('button', { name: 'Close the upgrade notice' }).click()
  await app.visit('/dashboard/customers')
  await expect.element(page.getByText('Upgrade Required for Customers')).toBeVisible()
  await app.visit('/dashboard/invoices')
  await expect.element(page.getByText('Upgrade Required for Invoices')).toBeVisible()
})

test('a module that the role has no access to shows who to ask, without an upgrade', async () => {
  signInUser()
  servePermissions(resource('customers', 'Customers', none))
  network.on('GET /api/corporations/allowed-resources', () => ({
    body: {
      success: true,
      data: [],
      others: [],
      contact: { name: 'Ada Lindqvist', email: 'admin@nordbil.example' },
    },
  }))
  open('/dashboard/customers')
  await expect.element(page.getByText("Your role doesn't include Customers")).toBeVisible()
  await expect.element(page.getByText('Ask an administrator of your corporation or')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Email Ada Lindqvist' }))
    .toHaveAttribute('href', 'mailto:admin@nordbil.example')
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Go to the dashboard' }))
    .toBeVisible()
  expect(page.getByText('Upgrade Required for').elements()).toEqual([])
})

test('a page that is only for platform administrators names no contact person', async () => {
  signInUser()
  servePermissions(customers, resource('corporations', 'Corporations', none, { allowed: false }))
  open('/dashboard/corporations')
  await expect.element(page.getByText("You don't have access to Corporations")).toBeVisible()
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Go to the dashboard' }))
    .toBeVisible()
  expect(page.getByText(/Ask an administrator/).elements()).toEqual([])
})

test('revoking access to contacts removes the link and the page', async () => {
  signInUser()
  servePermissions(customers, contacts())
  serveNoContacts()
  open('/dashboard/contacts')
  await expect.element(page.getByText('No contacts yet')).toBeVisible()
  servePermissions(customers, contacts(none))
  network.on('GET /api/contacts', () => errorResponse(403, "You don't have permission to do this."))
  network.on('GET /api/corporations/allowed-resources', () => errorResponse(503, 'The server is busy.'))
  advanceClock(11_000)
  focusWindow()
  await expect.element(page.getByText("Your role doesn't include Contacts")).toBeVisible()
  expect(nav.getByRole('button', { name: 'Contacts' }).elements()).toEqual([])
  await expect.element(nav.getByRole('link', { name: 'Customers' })).toBeVisible()
})

test('a button that disappears with its permission leaves the focus to the heading', async () => {
  signInUser()
  servePermissions(customers, contacts())
  serveNoContacts()
  open('/dashboard/contacts')
  const button = page.getByRole('button', { name: 'Add New Contact' }).first()
  await expect.element(button).toBeVisible()
  const element = button.element() as HTMLElement
  element.focus()
  servePermissions(customers, contacts({ ...none, can_read: true }))
  advanceClock(11_000)
  focusWindow()
  await expect.poll(() => element.isConnected).toBe(false)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
})

test('a newly granted module appears in the menu on a navigation after ten seconds', async () => {
  signInUser()
  servePermissions(customers, contacts(), users(none))
  open('/dashboard')
  await expect.element(nav.getByRole('link', { name: 'Customers' })).toBeVisible()
  servePermissions(customers, contacts(), users(all))
  await nav.getByRole('link', { name: 'Customers' }).click()
  expect(permissionRequests()).toBe(1)
  advanceClock(61_000)
  await page.getByRole('banner').getByRole('link', { name: /home/ }).click()
  await expect.poll(permissionRequests).toBeGreaterThan(1)
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Users Management' })).toBeVisible()
})

test('a 403 reloads the permissions', async () => {
  signInUser()
  servePermissions(customers, contacts())
  serveNoContacts()
  open('/dashboard')
  await expect.element(nav.getByRole('link', { name: 'Customers' })).toBeVisible()
  servePermissions(customers, contacts(none))
  network.on('GET /api/contacts', () => errorResponse(403, "You don't have permission to do this."))
  network.on('GET /api/corporations/allowed-resources', () => errorResponse(503, 'The server is busy.'))
  await nav.getByRole('button', { name: 'Contacts' }).click()
  await page.getByRole('menuitem', { name: 'All contacts' }).click()
  await expect.element(page.getByText("Your role doesn't include Contacts")).toBeVisible()
  expect(nav.getByRole('button', { name: 'Contacts' }).elements()).toEqual([])
})

test('the menu follows when a module is added to the corporation and removed again', async () => {
  signInUser()
  const withdrawn = resource('customers', 'Customers', none, { allowed: false })
  servePermissions(withdrawn, contacts())
  network.on('GET /api/corporations/allowed-resources', () => errorResponse(503, 'The server is busy.'))
  const app = open('/dashboard')
  await expect.element(nav.getByRole('button', { name: 'Contacts' })).toBeVisible()
  await app.visit('/dashboard/customers')
  await expect.element(page.getByText("Customers isn't included yet")).toBeVisible()
  await expect.poll(permissionRequests).toBe(2)
  servePermissions(customers, contacts())
  await app.visit('/dashboard/subscriptions')
  await expect.element(nav.getByRole('link', { name: 'Customers' })).toBeVisible()

  servePermissions(withdrawn, contacts())
  advanceClock(11_000)
  await app.visit('/dashboard')
  await expect.element(nav.getByRole('link', { name: 'Customers' })).not.toBeInTheDocument()
})

test('if the permissions are unchanged, checking them reloads nothing', async () => {
  signInUser()
  servePermissions(customers, contacts({ ...none, can_read: true }))
  network.on('GET /api/contacts', () => errorResponse(403, "You don't have permission to do this."))
  const app = open('/dashboard')
  await expect.element(nav.getByRole('link', { name: 'Customers' })).toBeVisible()
  await app.visit('/dashboard/contacts')
  // The 403 makes the app request the permissions once. They are unchanged, so the contacts aren't requested again.
  await expect.element(page.getByText("You don't have access to contacts")).toBeVisible()
  await expect.poll(permissionRequests).toBe(2)
  advanceClock(11_000)
  focusWindow()
  await expect.poll(permissionRequests).toBe(3)
  focusWindow()
  await new Promise(done => setTimeout(done, 200))
  expect(permissionRequests()).toBe(3)
  expect(network.requests('/api/contacts')).toHaveLength(1)
})

test('a failed permission check changes nothing on the page', async () => {
  signInUser()
  servePermissions(customers, contacts())
  open('/dashboard')
  await expect.element(nav.getByRole('link', { name: 'Customers' })).toBeVisible()
  network.on('GET /api/rbac/user-permissions', () => errorResponse(503, 'The server is busy.'))
  advanceClock(61_000)
  focusWindow()
  await expect.poll(permissionRequests).toBe(2)
  await new Promise(done => setTimeout(done, 100))
  await expect.element(nav.getByRole('link', { name: 'Customers' })).toBeVisible()
  // When the window regains focus, the permissions are requested again.
  servePermissions(contacts())
  focusWindow()
  await expect.element(nav.getByRole('button', { name: 'Contacts' })).toBeVisible()
  await expect.element(nav.getByRole('link', { name: 'Customers' })).not.toBeInTheDocument()
})

test('a revoked permission removes the page only after unsaved changes are resolved', async () => {
  signInUser()
  servePermissions(customers, contacts())
  serveNoContacts()
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Contact' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Åsa Berg')
  servePermissions(customers, contacts(none))
  network.on('POST /api/contacts', () => errorResponse(403, "You don't have permission to do this."))
  network.on('GET /api/contacts', () => errorResponse(403, "You don't have permission to do this."))
  network.on('GET /api/corporations/allowed-resources', () => errorResponse(503, 'The server is busy.'))
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent("You don't have permission to do this.")
  await expect.poll(permissionRequests).toBe(2)
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Åsa Berg')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(page.getByText("Your role doesn't include Contacts")).toBeVisible()
})

test.each([
  ['navigate', 0],
  ['reload', 300],
  ['back_forward', 300],
])('a page that was opened by a load of type "%s" starts at the scroll position %d', async (type, top) => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1280, 300)
  sessionStorage.setItem('scroll', JSON.stringify({ 'default /dashboard/subscriptions': 300 }))
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming])
  signInUser()
  network.on('GET /api/corporations/allowed-resources', () => errorResponse(503, 'The server is busy.'))
  open('/dashboard/subscriptions')
  document.body.style.minHeight = '2000px'
  onTestFinished(() => document.body.removeAttribute('style'))
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => scrollY).toBe(top)
})

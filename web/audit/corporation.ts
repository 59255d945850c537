import type { Page } from '@playwright/test'
import {
  answer,
  fill,
  forgetShifts,
  held,
  open,
  opens,
  openWaiting,
  press,
  refused,
  sees,
  state,
} from './steps'

const [users, roles, settings, subscriptions] = [
  '/dashboard/users',
  '/dashboard/roles',
  '/dashboard/profile',
  '/dashboard/subscriptions',
]

/** Removes a module from the corporation's allowed resources in the permissions response. */
const without = (module: string) => (page: Page) =>
  page.route(/\/api\/rbac\/user-permissions/, async route => {
    const response = await route.fetch()
    const json = await response.json()
    for (const resource of json.data.resources) if (resource.resource_id === module) resource.allowed = false
    await route.fulfill({ response, json })
  })

const offline = async (page: Page) => {
  await page.context().setOffline(true)
  await page.getByText("You're offline.").waitFor()
  // The offline notice shifts the page once. This shift is intended.
  await forgetShifts(page)
}

/** Chooses a profile picture: a red dot. */
const picture = (page: Page) =>
  page.getByLabel('Picture file').setInputFiles({
    name: 'me.svg.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
      'base64',
    ),
  })

/** The screens of an administrator of a new corporation: empty lists, and all settings. */
export const corporationStates = [
  state('Dashboard, empty', open('/dashboard')),
  state('Customers, empty', open('/dashboard/customers'), sees('Add the first customer')),
  state('Invoices, empty', open('/dashboard/invoices'), sees('Create the first invoice')),
  state('Contacts, empty', open('/dashboard/contacts'), sees('No contacts yet')),
  state('Imports, empty', open('/dashboard/contacts/imports')),

  state('Users', open(users)),
  state('Users, loading', held(/\/api\/users\?/), openWaiting(users)),
  state('Users, failed', refused(/\/api\/users\?/), open(users), sees('Try Again')),
  state('Users, nothing found', open(`${users}?search=nobody-has-this-name`), sees('No users found')),
  state('Users, new', open(users), press('Add User'), opens()),
  state('Users, new, with errors', open(users), press('Add User'), opens(), answer(/^Add user/)),
  state('Users, edit', open(users), press(/^Edit /), opens()),
  state('Users, delete', open(users), press(/^Delete /), opens()),

  state('Roles', open(roles)),
  state('Roles, loading', held(/\/api\/rbac\/roles/), openWaiting(roles)),
  state('Roles, failed', refused(/\/api\/rbac\/roles/), open(roles), sees('Try Again')),
  state('Roles, nothing found', open(`${roles}?search=nobody-has-this-name`)),
  state('Roles, new', open(roles), press('Create Role'), opens()),
  state('Roles, new, with errors', open(roles), press('Create Role'), opens(), answer('Create role')),
  state('Roles, rename', open(roles), press(/^Rename /), opens()),
  state('Roles, delete', open(roles), press(/^Delete /), opens()),

  state('Settings', open(settings)),
  state('Settings, loading', held(/\/api\/theme/), openWaiting(settings)),
  state('Settings, failed', refused(/\/api\/theme/), open(settings), sees('Try Again')),
  state('Settings, with errors', open(settings), fill('First name', ''), press(/^Save changes/i)),
  state('Settings, crop', open(settings), picture, opens()),
  state('Settings, password', open(settings), press(/^Change password$/i), opens()),
  state(
    'Settings, password, with errors',
    open(settings),
    press(/^Change password$/i),
    opens(),
    fill('New password', 'password'),
    fill('Confirm password', 'passwort'),
    sees('Very weak.'),
    sees('Passwords do not match'),
  ),
  state('Settings, delete account', open(settings), press('Delete Account'), opens()),
  state('Subscriptions', open(subscriptions)),
  state('Subscriptions, loading', held(/allowed-resources/), openWaiting(subscriptions)),
  state('Subscriptions, failed', refused(/allowed-resources/), open(subscriptions), sees('Try Again')),
  state(
    'A module that is missing',
    without('invoices'),
    open('/dashboard/invoices'),
    sees("isn't included yet"),
  ),

  state('Profile menu', open('/dashboard'), press(/^Profile menu/), opens('menu')),
  state('Colour scheme menu', open('/dashboard'), press('Colour scheme'), opens('menu')),
  state('Navigation', open('/dashboard'), async page => {
    const sheet = page.getByRole('button', { name: 'Open navigation' })
    await ((await sheet.isVisible()) ? sheet : page.getByRole('button', { name: 'Contacts' })).click()
  }),
  state('Nothing at that address', open('/dashboard/no-such-page')),
  state('No connection', open('/dashboard/users'), offline),
  state('A page that fails', refused(/\/api\/auth\/profile\/detail/), open('/dashboard'), sees('Try Again')),
]

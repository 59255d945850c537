import type { Page } from '@playwright/test'
import { kinds, titleOf } from '../e2e/kinds'
import {
  emptyList,
  expectOpen,
  expectText,
  fill,
  forgetShifts,
  loadingStates,
  open,
  press,
  pressInDialog,
  pressInRow,
  rejectRequests,
  state,
} from './steps'

const [users, roles, settings, subscriptions] = [
  '/dashboard/users',
  '/dashboard/roles',
  '/dashboard/profile',
  '/dashboard/subscriptions',
]

/** Returns a step that makes the app believe that the corporation hasn't subscribed to a module. */
const withoutModule = (module: string) => (page: Page) =>
  page.route(/\/api\/rbac\/user-permissions/, async route => {
    const response = await route.fetch()
    const json = await response.json()
    for (const resource of json.data.resources) if (resource.resource_id === module) resource.allowed = false
    await route.fulfill({ response, json })
  })

const offline = async (page: Page) => {
  await page.context().setOffline(true)
  await page.getByText("You're offline.").waitFor()
  // The layout shift of the offline notice is intended, so it isn't counted.
  await forgetShifts(page)
}

/** Chooses a red dot as the profile picture. */
const picture = (page: Page) =>
  page.getByLabel('Picture file').setInputFiles({
    name: 'me.svg.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
      'base64',
    ),
  })

/** Returns the state of a list without records. */
const emptyState = (kind: string) =>
  state(
    `${titleOf(kind)}, empty`,
    emptyList(new RegExp(`/api/${kind}\\?`)),
    open(`/dashboard/${kind}`),
    expectText(new RegExp(`^No ${kind} `)),
  )

/** The states of the screens of an administrator of a small corporation: empty lists, and all settings. */
export const corporationStates = [
  state('Dashboard, of a small corporation', open('/dashboard')),
  ...kinds.map(emptyState),
  state(
    'Imports, empty',
    emptyList(/\/api\/contacts\/imports/),
    open('/dashboard/contacts/imports'),
    expectText('No imports yet'),
  ),
  ...loadingStates('Trash', '/dashboard/trash', /\/api\/trash/),
  state('Trash, nothing found', open('/dashboard/trash?search=nobody'), expectText('Nothing found')),
  ...loadingStates('History', '/dashboard/history', /\/api\/history/),
  state('History, period', open('/dashboard/history?period=custom'), expectText('Apply')),
  state(
    'History, nothing found',
    open('/dashboard/history?action=purged&resource=roles'),
    expectText('Nothing found'),
  ),

  ...loadingStates('Users', users, /\/api\/users\?/),
  state('Users, nothing found', open(`${users}?search=nobody-has-this-name`), expectText('No users found')),
  state('Users, new', open(users), press('Add User'), expectOpen()),
  state('Users, new, with errors', open(users), press('Add User'), expectOpen(), pressInDialog(/^Add user/)),
  state('Users, edit', open(users), pressInRow(/^Edit /), expectOpen()),
  state('Users, delete', open(users), pressInRow(/^Delete /), expectOpen()),

  ...loadingStates('Roles', roles, /\/api\/rbac\/roles/),
  state('Roles, nothing found', open(`${roles}?search=nobody-has-this-name`)),
  state('Roles, new', open(roles), press('Create Role'), expectOpen()),
  state(
    'Roles, new, with errors',
    open(roles),
    press('Create Role'),
    expectOpen(),
    pressInDialog('Create role'),
  ),
  state('Roles, rename', open(roles), pressInRow(/^Rename /), expectOpen()),
  state('Roles, delete', open(roles), pressInRow(/^Delete /), expectOpen()),

  ...loadingStates('Settings', settings, /\/api\/theme/),
  state('Settings, with errors', open(settings), fill('First name', ''), press(/^Save changes/i)),
  state('Settings, crop', open(settings), picture, expectOpen()),
  state('Settings, password', open(settings), press(/^Change password$/i), expectOpen()),
  state(
    'Settings, password, with errors',
    open(settings),
    press(/^Change password$/i),
    expectOpen(),
    fill('New password', 'password'),
    fill('Confirm password', 'passwort'),
    expectText('Very weak.'),
    expectText('Passwords do not match'),
  ),
  state('Settings, delete account', open(settings), press('Delete Account'), expectOpen()),
  ...loadingStates('Subscriptions', subscriptions, /allowed-resources/),
  state(
    'A module that is missing',
    withoutModule('invoices'),
    open('/dashboard/invoices'),
    expectText("isn't included yet"),
  ),

  state('Profile menu', open('/dashboard'), press(/^Profile menu/), expectOpen('menu')),
  state('Colour scheme menu', open('/dashboard'), press('Colour scheme'), expectOpen('menu')),
  state('Navigation', open('/dashboard'), async page => {
    const sheet = page.getByRole('button', { name: 'More', exact: true })
    await ((await sheet.isVisible())
      ? sheet
      : page.getByRole('button', { name: 'Contacts', exact: true }).first()
    ).click()
  }),
  state('Nothing at that address', open('/dashboard/no-such-page')),
  state('No connection', open('/dashboard/users'), offline),
  state(
    'A page that fails',
    rejectRequests(/\/api\/auth\/profile\/detail/),
    open('/dashboard'),
    expectText('Try Again'),
  ),
]

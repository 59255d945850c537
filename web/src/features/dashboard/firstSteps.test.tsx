import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Dashboard, Permissions } from '~/core'
import { network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { allPermissions, readPermission } from '~/test/rights'

const main = page.getByRole('main')

/** The dashboard of a new corporation. */
const EMPTY: Dashboard = {
  contacts: { total: 0, months: [] },
  imports: [],
  vehicles: { count: 0, priced: 0, value: 0, ages: [], oldest: [] },
}

/** Opens the dashboard of a new corporation for a user with these permissions on these resources. */
function openDashboard(permissions: Permissions, ...resources: string[]) {
  signInUser()
  servePermissions(...resources.map(id => moduleResource(id, id, permissions)))
  network.on('GET /api/dashboard', () => ({ body: { success: true, data: EMPTY } }))
  open('/dashboard')
}

const step = (name: string) => main.getByRole('link', { name })

test('a new corporation sees first steps instead of empty charts', async () => {
  openDashboard(allPermissions, 'contacts', 'customers', 'vehicles', 'agreements', 'invoices', 'users')
  await expect.element(main.getByRole('link', { name: 'Total contacts 0' })).toBeVisible()
  await expect.element(main.getByText('Your numbers will appear here')).toBeVisible()
  await expect.element(step('Import Contacts')).toHaveAttribute('href', '/dashboard/contacts/imports/new')
  await expect.element(step('Add users')).toHaveAttribute('href', '/dashboard/users')
  expect(main.getByText(/by month$/).elements()).toHaveLength(0)
})

test('a user who may create only vehicles and agreements sees only these as first steps', async () => {
  openDashboard(allPermissions, 'vehicles', 'agreements')
  await expect.element(step('Add vehicles')).toHaveAttribute('href', '/dashboard/vehicles')
  await expect.element(step('Create agreements')).toHaveAttribute('href', '/dashboard/agreements')
  expect(main.getByRole('link', { name: /Import|customers|invoices|users/ }).elements()).toHaveLength(0)
})

test.each([
  ['contacts', /^Start by importing a CSV or Excel file\./],
  ['vehicles', 'Start with your first vehicle.'],
  ['customers', 'Start with your first customer.'],
])('the sentence above the steps is about the first of them, here %s', async (first, sentence) => {
  openDashboard(allPermissions, ...new Set([first, 'vehicles', 'invoices']))
  await expect.element(main.getByText(sentence)).toBeVisible()
})

test('a user who may only read sees no first steps, and which records will be shown', async () => {
  openDashboard(readPermission, 'contacts')
  await expect.element(main.getByText(/^Once contacts are added/)).toBeVisible()
  expect(main.getByRole('link', { name: /Import|Add|Create/ }).elements()).toHaveLength(0)
})

test('a user who may not read customers, contacts and invoices reads nothing of these', async () => {
  openDashboard(readPermission, 'vehicles', 'agreements')
  await expect.element(main.getByText(/^Once vehicles or agreements are added/)).toBeVisible()
})

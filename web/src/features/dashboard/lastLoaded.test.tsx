import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { disconnect, reconnect } from '~/test/connection'
import { entry } from '~/test/history'
import { errorResponse, network } from '~/test/network'
import {
  contactsResource,
  expectAlert,
  moduleResource,
  open,
  servePermissions,
  signInUser,
} from '~/test/open'
import { listOf } from '~/test/records'
import { readPermission } from '~/test/rights'

const total = page.getByRole('link', { name: 'Total Invoices 3' })
const contacts = contactsResource(readPermission)

const serveDashboard = () =>
  network.on('GET /api/dashboard', () => {
    const months = [{ month: '2026-11', count: 3, value: 900 }]
    const invoices = { total: 3, months, this_month: [900], last_month: [0] }
    return { body: { success: true, data: { invoices } } }
  })

/** Opens the dashboard of a user who may read invoices, contacts and the history. */
async function openDashboard() {
  signInUser()
  const modules = ['Invoices', 'History'].map(title =>
    moduleResource(title.toLowerCase(), title, readPermission),
  )
  servePermissions(...modules, contacts)
  serveDashboard()
  network.on('GET /api/history', () => listOf([entry(1)]))
  const app = open('/dashboard')
  await expect.element(total).toBeVisible()
  return app
}

test('Back without a connection shows the figures and news of before until they load again', async () => {
  const { go, visit } = await openDashboard()
  const news = page.getByRole('region', { name: 'Since yesterday' }).getByRole('listitem')
  await expect.element(news).toBeVisible()
  await visit('/dashboard/nothing')
  await expect.element(total).not.toBeInTheDocument()
  disconnect('GET /api/dashboard', 'GET /api/history')
  await go(-1)
  await expect.element(total).toBeVisible()
  await expect.element(news).toBeVisible()
  const isBusy = () => total.element().closest('[aria-busy]')?.getAttribute('aria-busy')
  await expect.poll(isBusy).toBe('true')
  await expect.element(page.getByText("You're offline.")).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
  serveDashboard()
  network.on('GET /api/history', () => listOf([entry(1), entry(2)]))
  await reconnect()
  await expect.poll(isBusy).toBe('false')
  await expect.poll(() => news.elements()).toHaveLength(2)
})

test('figures that the user may no longer see are not shown without a connection', async () => {
  const { go, visit } = await openDashboard()
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Invoices' })
  await expect.element(link).toBeVisible()
  servePermissions(contacts)
  // After a 403, the app requests the permissions again.
  network.on('GET /api/contacts', () => errorResponse(403, "You don't have permission to do this."))
  await visit('/dashboard/contacts')
  await expect.element(link).not.toBeInTheDocument()
  disconnect('GET /api/dashboard')
  await go(-1)
  await expectAlert(/Failed to load total invoices/)
  expect(page.getByRole('list', { name: 'Totals' }).elements()).toHaveLength(0)
})

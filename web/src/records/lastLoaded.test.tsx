import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { drafts } from '~/lib/drafts'
import { disconnect, reconnect } from '~/test/connection'
import { customers, openCustomers, pageOf } from '~/test/customers'
import { network } from '~/test/network'
import { expectAlert } from '~/test/open'

const list = page.getByRole('table', { name: 'Customers' })
const heading = page.getByRole('heading', { level: 1, name: 'Maja Holm 16' })

/** Opens a customer from the second page of the list. Then the server becomes unreachable. */
async function openRecordAndDisconnect() {
  const app = openCustomers(customers(16), { address: '/dashboard/customers?page=2' })
  await list.getByRole('link', { name: 'Maja Holm 16' }).click()
  await expect.element(heading).toBeVisible()
  disconnect('GET /api/customers', 'GET /api/views')
  return app
}

test('Back without a connection shows the rows and figures of before until the list loads again', async () => {
  const { server, go } = await openRecordAndDisconnect()
  await go(-1)
  await expect.element(list.getByText('Maja Holm 16')).toBeVisible()
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
  await expect.element(page.getByText('1,207')).toBeVisible()
  await expect.element(page.getByText("You're offline.")).toBeVisible()
  network.on('GET /api/customers', call => pageOf(server.records, call))
  await reconnect()
  await expect.element(list).toHaveAttribute('aria-busy', 'false')
})

test('after a deletion, the rows of before are shown if the list cannot be reached', async () => {
  const { address } = await openRecordAndDisconnect()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete customer' }).click()
  await expect.poll(address).toBe('/dashboard/customers?page=2')
  await expect.element(list.getByText('Maja Holm 16')).toBeVisible()
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
})

test('a list that another user has loaded is not shown without a connection', async () => {
  const { go } = await openRecordAndDisconnect()
  drafts.setOwner('u2')
  await go(-1)
  await expectAlert(/Failed to load customers/)
})

import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { View } from '~/core'
import { customers, listRequests, openCustomers } from '~/test/customers'
import { network } from '~/test/network'
import { textsOf } from '~/test/open'

const view = (more: Partial<View> = {}): View => ({
  view_id: 'v1',
  resource: 'customers',
  name: 'New companies',
  query: { search: '', sort: '', filter: [], typeAdv: 'Company', fromDate: '2026-01-01' },
  columns: [],
  density: 'comfortable',
  scope: 'mine',
  is_default: false,
  owner: { id: 'u1', name: 'Ada Lind' },
  version: 3,
  ...more,
})
const ADDRESS = '/dashboard/customers?type=Company&from=2026-01-01&view=v1'
const serve = (...views: View[]) =>
  network.on('GET /api/views', () => ({ body: { success: true, data: views } }))
const tabs = page.getByRole('navigation', { name: 'Views' })
const changed = page.getByText('changed', { exact: true })
const chips = () => textsOf(page.getByRole('list', { name: 'Active filters' }).getByRole('link'))

test('a view opens with its filter by type and date, and the tab All without it', async () => {
  serve(view())
  const { address } = openCustomers(customers(1))
  await tabs.getByRole('link', { name: 'New companies' }).click()
  await expect.poll(address).toBe(ADDRESS)
  await expect
    .poll(chips)
    .toEqual(['Type: Company, remove this filter', 'From: Jan 1, 2026, remove this filter'])
  const { query } = listRequests().at(-1) ?? {}
  expect([query?.get('typeAdv'), query?.get('fromDate')]).toEqual(['Company', '2026-01-01'])
  expect(changed.elements()).toHaveLength(0)
  await tabs.getByRole('link', { name: 'All' }).click()
  await expect.poll(address).toBe('/dashboard/customers?view=all')
  await expect.poll(chips).toEqual([])
})

test('a changed filter by type and date can be reset, or saved in the view', async () => {
  serve(view())
  const { address } = openCustomers(customers(1), { address: ADDRESS })
  const from = page.getByRole('link', { name: 'From: Jan 1, 2026' })
  await from.click()
  await expect.element(changed).toBeVisible()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect.poll(address).toBe(ADDRESS)
  await from.click()
  const saved = view({ version: 4, query: { typeAdv: 'Company' } })
  network.on('PUT /api/views/v1', () => {
    serve(saved)
    return { body: { success: true, data: saved } }
  })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('View updated')).toBeVisible()
  expect(network.requests('/api/views/v1')[0]?.body).toMatchObject({
    version: 3,
    query: { typeAdv: 'Company', fromDate: '', toDate: '' },
  })
  await expect.poll(() => changed.elements()).toHaveLength(0)
  expect(address()).toBe('/dashboard/customers?type=Company&view=v1')
})

test('a list that is filtered only by type can be saved as a view, which opens', async () => {
  const { address } = openCustomers(customers(1), { address: '/dashboard/customers?type=Private' })
  await page.getByRole('button', { name: 'Save view' }).click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Private')
  const saved = view({ name: 'Private', query: { typeAdv: 'Private' } })
  network.on('POST /api/views', () => {
    serve(saved)
    return { status: 201, body: { success: true, data: saved } }
  })
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.poll(address).toBe('/dashboard/customers?type=Private&view=v1')
  expect(network.requests('/api/views').find(({ method }) => method === 'POST')?.body).toMatchObject({
    resource: 'customers',
    query: { search: '', sort: '', filter: [], typeAdv: 'Private', fromDate: '', toDate: '' },
  })
  await expect.poll(() => changed.elements()).toHaveLength(0)
})

test('the filter of the default view can be cleared if no customer matches it', async () => {
  serve(view({ is_default: true }))
  const { address } = openCustomers([])
  await expect.poll(address).toBe(ADDRESS)
  await page.getByRole('link', { name: 'Clear filter' }).click()
  await expect.element(page.getByRole('button', { name: 'Add the first customer' })).toBeVisible()
  expect(address()).toBe('/dashboard/customers?view=v1')
})

test.each([
  { total: 0, name: 'Clear filter' },
  { total: 1, name: 'Type: Private person' },
])('the link "$name" does not open the default view', async ({ total, name }) => {
  serve(view({ is_default: true }))
  const { address } = openCustomers(customers(total), { address: '/dashboard/customers?type=Private' })
  await page.getByRole('link', { name }).click()
  await expect.poll(address).toBe('/dashboard/customers?view=all')
})

test('a view with a type that no longer exists opens as changed, without it', async () => {
  serve(view({ query: { typeAdv: 'Dealer', fromDate: '2026-01-01' } }))
  openCustomers(customers(1))
  await tabs.getByRole('link', { name: 'New companies' }).click()
  await expect.poll(chips).toEqual(['From: Jan 1, 2026, remove this filter'])
  await expect.element(changed).toBeVisible()
  expect(listRequests().at(-1)?.query.has('typeAdv')).toBe(false)
})

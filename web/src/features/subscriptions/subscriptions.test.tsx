import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { CorporationResource } from '~/core'
import { errorResponse, network } from '~/test/network'
import { expectAlert, open, signInUser } from '~/test/open'

const module = (resource_id: string, title: string): CorporationResource => ({
  resource_id,
  title,
  description: `What ${title} is for`,
  icon: 'list',
  is_module: true,
})

const serveModules = (
  data: CorporationResource[],
  others: CorporationResource[],
  email = 'office@forecourt.example',
) =>
  network.on('GET /api/corporations/allowed-resources', () => ({
    body: { success: true, data, others, contact: { name: email && 'Sigrid Ek', email } },
  }))

const titles = (group: string) =>
  [...document.querySelectorAll('section')]
    .filter(section => section.querySelector('h2')?.textContent === group)
    .flatMap(section => [...section.querySelectorAll('h3')].map(heading => heading.textContent))

test('Admins find in their menu which modules are included, and who to ask for others', async () => {
  signInUser()
  serveModules(
    [module('contacts', 'Contacts')],
    [module('customers', 'Customers'), module('invoices', 'Invoices')],
  )
  const app = open('/dashboard')
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Subscriptions' }).click()
  await expect.poll(app.address).toBe('/dashboard/subscriptions')
  await expect.element(page.getByText('What Customers is for')).toBeVisible()
  expect(titles('Included')).toEqual(['Contacts'])
  expect(titles('Not included')).toEqual(['Customers', 'Invoices'])
  await expect.element(page.getByRole('heading', { name: 'Who to ask' })).toBeVisible()
  await expect.element(page.getByText('Sigrid Ek, office@forecourt.example')).toBeVisible()
  const mail = page.getByRole('link', { name: 'Request an upgrade' })
  const link = new URL((mail.element() as HTMLAnchorElement).href)
  expect(link.pathname).toBe('office@forecourt.example')
  expect(link.search).toContain('subject=Modules%20for%20Nordbil%20AB')
  expect(decodeURIComponent(link.search)).toContain('- Customers\r\n- Invoices\r\n')
})

test('a corporation with every module sees no contact card', async () => {
  signInUser()
  serveModules([module('contacts', 'Contacts')], [])
  open('/dashboard/subscriptions')
  await expect.element(page.getByText('Nordbil AB has every available module.')).toBeVisible()
  expect(page.getByRole('heading', { name: 'Who to ask' }).elements()).toEqual([])
})

test('a corporation without modules sees so, even without a contact person', async () => {
  signInUser()
  serveModules([], [module('contacts', 'Contacts')], '')
  open('/dashboard/subscriptions')
  await expect.element(page.getByText('No modules included yet')).toBeVisible()
  await expect.element(page.getByText('Ask the person who manages this installation.')).toBeVisible()
  expect(page.getByRole('link', { name: 'Request an upgrade' }).elements()).toEqual([])
})

test('subscriptions that failed to load can be retried', async () => {
  signInUser()
  network.on('GET /api/corporations/allowed-resources', () => errorResponse(503, 'The server is busy.'))
  open('/dashboard/subscriptions')
  await expectAlert(/Failed to load resources.*The server is busy/)
  serveModules([module('contacts', 'Contacts')], [])
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Contacts' })).toBeVisible()
})

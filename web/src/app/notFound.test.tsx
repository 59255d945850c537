import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { network } from '~/test/network'
import { open, signInUser } from '~/test/open'

test('the page for an unknown URL names it and links to its parent module', async () => {
  signInUser()
  const app = open('/dashboard/contacts/a/b%20c')
  await expect.element(page.getByText('There is no page at /dashboard/contacts/a/b c')).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Page not found')
  await expect.element(page.getByRole('link', { name: 'Go to Contacts' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expect.poll(app.address).toBe('/dashboard')
})

test.each(['contacts/new', 'contacts/import', 'contacts/no-such-page'])(
  'a URL that can not be that of a record is unknown: %s',
  async end => {
    signInUser()
    open(`/dashboard/${end}`)
    await expect.element(page.getByText(`There is no page at /dashboard/${end}`)).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Go to Contacts' })).toBeVisible()
    expect(network.requests('/api/contacts')).toHaveLength(0)
  },
)

test('the page for an unknown URL outside all modules links to the dashboard', async () => {
  signInUser()
  open('/dashboard/%E0%A4%A')
  await expect.element(page.getByText('There is no page at /dashboard/%E0%A4%A')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Go to the dashboard' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Go to Contacts/ })).not.toBeInTheDocument()
})

test.each(['%0A', 'a%0Db', 'nowhere/%E2%80%A8'])(
  'a URL with a line break in it is unknown: %s',
  async end => {
    signInUser()
    open(`/dashboard/${end}`)
    await expect.element(page.getByText(`There is no page at /dashboard/${end}`)).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Go to the dashboard' })).toBeVisible()
  },
)

test('an unknown URL redirects signed-out users to the login page with a message', async () => {
  const warn = vi.spyOn(console, 'warn')
  const app = open('/no-such-page')
  await expect.poll(app.address).toBe('/')
  await expect.element(page.getByText('There is no page at /no-such-page')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(warn, 'no router warnings').not.toHaveBeenCalled()
  warn.mockRestore()
})

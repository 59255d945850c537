import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkConnection } from '~/lib/connection'
import { errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'
import { allPermissions, readPermission } from '~/test/rights'
import { openRoles } from '~/test/roles'
import { failNetwork } from '~/test/signIn'

/** From now on the server is unreachable, until the test has ended. */
async function disconnect() {
  onTestFinished(async () => {
    network.on('GET /api/health', () => errorResponse(200, ''))
    await checkConnection()
  })
  network.on('GET /api/health', failNetwork)
  await checkConnection()
}

test.each([
  {
    who: 'may',
    may: allPermissions,
    sentences: /^You're offline. You can still check files.* What you type/,
  },
  { who: 'may not', may: readPermission, sentences: /^You're offline. What you type is saved/ },
])('a user who $who import reads what they can do offline', async ({ may, sentences }) => {
  signInUser(may)
  // This page sends no requests.
  open('/dashboard/nothing')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await disconnect()
  await expect
    .element(page.getByRole('status').filter({ hasText: "You're offline." }))
    .toHaveTextContent(sentences)
})

test('at phone width the page says that it is offline while it is scrolled', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  openRoles()
  await page.getByRole('button', { name: 'Sales', exact: true }).click()
  await expect.element(page.getByRole('checkbox', { name: 'View Customers' })).toBeVisible()
  await disconnect()
  const bar = page.getByText("You're offline.", { exact: false }).first()
  await expect.element(bar).toBeVisible()
  scrollTo(0, document.documentElement.scrollHeight)
  await expect.poll(() => scrollY).toBeGreaterThan(200)
  await expect.element(bar).toBeInViewport()
  // An element that gets the focus is scrolled below the header, not behind it.
  const header = page.getByRole('banner').element().getBoundingClientRect()
  const padding = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)
  expect(padding).toBeGreaterThanOrEqual(header.bottom)
})

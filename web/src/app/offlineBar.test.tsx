import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkConnection } from '~/lib/connection'
import { errorResponse, network } from '~/test/network'
import { openRoles } from '~/test/roles'
import { failNetwork } from '~/test/signIn'

test('at phone width the page says that it is offline while it is scrolled', async () => {
  await page.viewport(360, 740)
  onTestFinished(async () => {
    network.on('GET /api/health', () => errorResponse(200, ''))
    await checkConnection()
    await page.viewport(1280, 800)
  })
  openRoles()
  await page.getByRole('button', { name: 'Sales', exact: true }).click()
  await expect.element(page.getByRole('checkbox', { name: 'View Customers' })).toBeVisible()
  network.on('GET /api/health', failNetwork)
  await checkConnection()
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

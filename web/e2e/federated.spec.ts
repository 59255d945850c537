import type { Browser, Page } from '@playwright/test'
import { accounts, PASSWORD, sessionOf } from './accounts'
import { checkAccessibility, expect, expectNoOverflow, holdRequests, test } from './test'

const federated = (page: Page) => page.getByRole('link', { name: 'Continue with Example ID' })

/** Fills in the provider's sign-in page as this user, and submits it. */
async function signInAtProvider(page: Page, who: string) {
  await page.getByLabel('Who are you?').fill(who)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Signs in with the provider from the login page, until the provider has redirected back to the app. */
async function signInAs(page: Page, who: string) {
  await page.goto('/login')
  await federated(page).click()
  await signInAtProvider(page, who)
}

/** Opens a page in a new browser context without a session. */
const openNewBrowser = async (browser: Browser) =>
  (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage()

const hasSession = (page: Page) => page.evaluate(() => localStorage.getItem('accessToken') !== null)

const openSettings = async (page: Page) => {
  await page.goto('/dashboard/profile')
  await expect(page.getByRole('heading', { name: 'Sign-in with Example ID' })).toBeVisible()
}

test('a user signs in with the provider, and no URL keeps the one-time values', async ({ page }) => {
  const requests: { from: string; referer: string }[] = []
  page.on('request', request => {
    if (!request.url().endsWith('/api/auth/verify-token')) return
    requests.push({ from: page.url(), referer: request.headers().referer ?? '' })
  })
  await signInAs(page, accounts.clerk)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(requests).toEqual([{ from: new URL('/auth/callback', page.url()).href, referer: '' }])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.goBack()
  expect(page.url()).not.toContain('Token=')
})

test('returns to the requested page after signing in with the provider', async ({ page }) => {
  await page.goto('/dashboard/contacts?search=berg')
  await federated(page).click()
  await signInAtProvider(page, accounts.clerk)
  await expect(page).toHaveURL('/dashboard/contacts?search=berg')
})

test('the callback URL signs no other browser in, before or after its use', async ({ page, browser }) => {
  let link = ''
  page.on('request', request => {
    if (request.isNavigationRequest() && request.url().includes('/auth/callback?')) link = request.url()
  })
  const release = await holdRequests(page, '**/api/auth/verify-token')
  await signInAs(page, accounts.clerk)
  await expect(page).toHaveURL('/auth/callback')
  expect(link).toContain('accessToken=')
  const expectLinkFails = async () => {
    const other = await openNewBrowser(browser)
    await other.goto(link)
    await expect(other).toHaveURL('/login')
    await expect(other.getByText('Sign-in with the provider failed.')).toBeVisible()
    expect(await hasSession(other)).toBe(false)
    await other.context().close()
  }
  await expectLinkFails()
  release()
  await expect(page).toHaveURL('/dashboard')
  await expectLinkFails()
})

test('a link with the tokens of a session does not sign in', async ({ page, browser }) => {
  await signInAs(page, accounts.clerk)
  await expect(page).toHaveURL('/dashboard')
  const pair = await page.evaluate(() =>
    ['accessToken', 'refreshToken'].map(name => [name, localStorage.getItem(name) ?? '']),
  )
  const other = await openNewBrowser(browser)
  await other.goto(`/auth/callback?${new URLSearchParams(pair)}`)
  await expect(other).toHaveURL('/login')
  expect(await hasSession(other)).toBe(false)
  await other.context().close()
})

test('a user without an account sees a message, but not after a reload', async ({ page }) => {
  await signInAs(page, 'nobody@at.all.example')
  await expect(page).toHaveURL('/login')
  const sentence = page.getByText('No matching account found.')
  await expect(sentence).toBeVisible()
  await checkAccessibility(page)
  await page.reload()
  await expect(federated(page)).toBeVisible()
  await expect(sentence).toBeHidden()
})

test('cancelling at the provider returns to the login page', async ({ page }) => {
  await page.goto('/login')
  await federated(page).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Sign-in with the provider failed.')).toBeVisible()
  await federated(page).click()
  await signInAtProvider(page, accounts.clerk)
  await expect(page).toHaveURL('/dashboard')
})

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin') })

  test('connects the provider in Settings, signs in with it, and disconnects', async ({ page, browser }) => {
    // Long, because of three sign-ins, each in a new browser context with an empty cache.
    test.setTimeout(90_000)
    const inNewBrowser = async (check: (other: Page) => Promise<unknown>) => {
      const other = await openNewBrowser(browser)
      await signInAs(other, accounts.admin)
      await check(other)
      await other.context().close()
    }
    const expectUnknown = (other: Page) => expect(other.getByText('No matching account found.')).toBeVisible()
    await inNewBrowser(expectUnknown)

    await openSettings(page)
    await page.getByRole('button', { name: 'Connect Example ID' }).click()
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await signInAtProvider(page, accounts.admin)
    await expect(page).toHaveURL('/dashboard/profile')
    await expect(page.getByText('Connected. You can now sign in with it.')).toBeVisible()
    await checkAccessibility(page)
    await inNewBrowser(other => expect(other).toHaveURL('/dashboard/admin'))

    await page.getByRole('button', { name: 'Disconnect Example ID' }).click()
    await expect(page.getByText('Disconnected. It can no longer be used to sign in.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Connect Example ID' })).toBeVisible()
    await inNewBrowser(expectUnknown)
  })
})

test('the provider link works by keyboard and fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/login')
  await expect(federated(page)).toBeVisible()
  await checkAccessibility(page)
  await expectNoOverflow(page)
  await page.getByRole('button', { name: 'Sign in' }).focus()
  await page.keyboard.press('Tab')
  await expect(federated(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await signInAtProvider(page, accounts.clerk)
  await expect(page).toHaveURL('/dashboard')
})

import type { Page } from '@playwright/test'
import { accounts, login, mailedCode, PASSWORD, signIn, typeCode } from './accounts'
import { checkAccessibility, expect, expectNoOverflow, holdRequests, tabTo, test } from './test'

const NEW_PASSWORD = 'three birds on a wire'
const sent = 'If there is an account with this email, we have sent a link to reset the password.'
const linkOver = 'This link is no longer valid. Please request a new one.'

const reach = (page: Page, role: 'link' | 'button' | 'textbox', name: string) =>
  tabTo(page, page.getByRole(role, { name, exact: true }), 12)

/** Runs `doIt`, which requests a reset link, and returns the link that then arrives in the demo's mailbox. */
async function mailedLink(page: Page, email: string, doIt: () => Promise<unknown>): Promise<string> {
  const links = async () => {
    const mailbox = await (await page.request.get('/demo/mailbox')).text()
    const mails = mailbox.split('<article>').filter(mail => mail.includes(`To ${email}<`))
    return mails.flatMap(mail => /http\S+\/reset-password\?token=[\w-]+/.exec(mail)?.[0] ?? [])
  }
  const before = (await links()).length
  await doIt()
  await expect.poll(async () => (await links()).length, 'links mailed').toBeGreaterThan(before)
  return (await links())[0] ?? ''
}

async function openOnPhone(page: Page, path: string) {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(path)
}

/** Fails if the page has accessibility violations, or is wider than its window. */
async function checkScreen(page: Page) {
  await checkAccessibility(page)
  await expectNoOverflow(page)
}

test.describe('a forgotten password', () => {
  test.use({ expectedStatuses: [400, 401] })

  test('a mailed link resets the password, on a phone and by keyboard only', async ({
    page,
    browser,
    baseURL,
  }) => {
    test.setTimeout(60_000)
    // Signs in as the same user on another device.
    const elsewhere = await (await browser.newContext({ baseURL })).newPage()
    await elsewhere.goto('/login')
    await signIn(elsewhere, accounts.weser)

    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/login')
    await reach(page, 'textbox', 'Email')
    await page.keyboard.type(accounts.weser)
    await reach(page, 'link', 'Forgot password?')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/forgot-password')
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(accounts.weser)
    await reach(page, 'button', 'Reset Password')
    const link = await mailedLink(page, accounts.weser, () => page.keyboard.press('Enter'))
    await expect(page.getByRole('main').getByText(sent)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Demo: open the mailbox' })).toHaveAttribute(
      'href',
      '/demo/mailbox',
    )
    await expectNoOverflow(page)

    await page.goto(link)
    await expect(page).toHaveURL('/reset-password')
    // The token is not in the tab's history, but the page still has it after a reload.
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('token')
    await page.reload()
    await expect(page).toHaveURL('/reset-password')
    await reach(page, 'textbox', 'New password')
    await page.keyboard.type(NEW_PASSWORD)
    await expect(page.getByText('Strong.')).toBeVisible()
    await reach(page, 'textbox', 'Confirm password')
    await page.keyboard.type('three cats')
    await expect(page.getByText('Passwords must match')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Set New Password' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.keyboard.press('Control+a')
    await page.keyboard.type(NEW_PASSWORD)
    await expect(page.getByText('The passwords match')).toBeVisible()
    await reach(page, 'button', 'Set New Password')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Your password was changed. Please sign in with the new one.')).toBeVisible()

    // After the reset, the old password no longer works, and the session on the other device has ended.
    await login(page, accounts.weser, PASSWORD)
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
    await elsewhere.reload()
    await expect(elsewhere).toHaveURL(/\/login/)
    await elsewhere.context().close()

    // Signing in with the new password works, and still requires a mailed code.
    await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused()
    await page.keyboard.type(NEW_PASSWORD)
    const code = await mailedCode(accounts.weser, () => page.keyboard.press('Enter'))
    await typeCode(page, code)
    await expect(page).toHaveURL('/dashboard/admin')

    // The reset link can't be used a second time.
    await page.goto(link)
    await page.getByRole('textbox', { name: 'New password' }).fill(PASSWORD)
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText(linkOver)
    await expect(page.getByRole('link', { name: 'Request a new link' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/forgot-password')
  })
})

test('an unknown email gets the same message', async ({ page }) => {
  await page.goto('/forgot-password')
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@weser.example')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('main').getByText(sent)).toBeVisible()
  await checkAccessibility(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoOverflow(page)
})

test('the forgot password page is accessible and fits a phone', async ({ page }) => {
  await openOnPhone(page, '/forgot-password')
  await expect(page.getByRole('link', { name: 'Back to sign in' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await checkScreen(page)
})

test('the reset password page is accessible and fits a phone', async ({ page }) => {
  await openOnPhone(page, '/reset-password?token=made-up')
  await page.getByRole('textbox', { name: 'New password' }).fill('password')
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('passwort')
  await expect(page.getByText('Passwords must match')).toBeVisible()
  await expect(page.getByText('Very weak.')).toBeVisible()
  await checkScreen(page)
})

test('without a token the page offers a new link accessibly', async ({ page }) => {
  await openOnPhone(page, '/reset-password')
  await expect(page.getByRole('alert')).toHaveText(linkOver)
  await checkScreen(page)
})

test('the strength meter is loaded only when a password is typed', async ({ page }) => {
  const fetched: string[] = []
  page.on('request', request => fetched.push(new URL(request.url()).pathname))
  const meter = () => fetched.filter(path => path.includes('/strength'))
  await page.goto('/reset-password?token=made-up')
  await expect(page.getByRole('button', { name: 'Set New Password' })).toBeVisible()
  expect(meter()).toEqual([])
  await page.getByRole('textbox', { name: 'New password' }).fill('s')
  await expect(page.getByText('Very weak.')).toBeVisible()
  expect(meter()).toHaveLength(1)
})

test.describe('the page after a sign-in with the provider', () => {
  test.use({ expectedStatuses: [503] })

  test('one-time values leave the URL first, and invalid ones redirect to login', async ({ page }) => {
    const addresses: string[] = []
    await page.route('**/api/auth/verify-token', async route => {
      addresses.push(page.url())
      await route.continue()
    })
    await page.goto('/auth/callback?accessToken=made-up&refreshToken=made-up-too')
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Sign-in with the provider failed.')).toBeVisible()
    expect(addresses.map(address => new URL(address).search)).toEqual([''])
    await page.goBack()
    await expect.poll(() => page.url()).not.toContain('made-up')
  })

  test('an address with only one of the two one-time values redirects to the login page', async ({
    page,
  }) => {
    await page.goto('/auth/callback?accessToken=only-one')
    await expect(page).toHaveURL('/login')
  })

  test('the sign-in can be retried after an error of the server, and both pages are accessible', async ({
    page,
  }) => {
    const message = 'The server is busy. Please try again in a moment.'
    await page.route('**/api/auth/verify-token', route =>
      route.fulfill({ status: 503, json: { success: false, message, errors: [message], fields: {} } }),
    )
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/auth/callback?accessToken=made-up&refreshToken=made-up-too')
    await expect(page.getByRole('alert')).toHaveText(message)
    await expect(page).toHaveURL('/auth/callback')
    await checkScreen(page)
    await page.unroute('**/api/auth/verify-token')
    const release = await holdRequests(page, '**/api/auth/verify-token')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByRole('button', { name: 'Try Again' })).toHaveAttribute('aria-busy', 'true')
    release()
    await expect(page).toHaveURL('/login')
  })
})

import { accounts, login, mailedCode, signIn, typeCode } from './accounts'
import { checkAccessibility, expect, expectNoOverflow, test } from './test'

test('a user signs in with the mailed code and sees the dashboard', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Sign in · Forecourt')
  const code = await mailedCode(accounts.sales, async () => {
    await login(page, accounts.sales)
    await expect(page.getByText('We sent a verification code to your email')).toBeVisible()
  })
  await expect(page.getByRole('link', { name: 'Demo: open the mailbox' })).toHaveAttribute('href', /mailbox/)
  await typeCode(page, code)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test("an administrator sees the administrators' dashboard", async ({ page }) => {
  await page.goto('/login')
  await signIn(page, accounts.platform)
  await expect(page).toHaveURL('/dashboard/admin')
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Corporations' })).toBeVisible()
})

test('a trusted device needs no code', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Remember me').click()
  await signIn(page, accounts.admin)
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await login(page, accounts.admin)
  await expect(page).toHaveURL('/dashboard/admin')
})

test('two tabs share a session while its token is refreshed', async ({ page, context }) => {
  await page.goto('/login')
  await signIn(page, accounts.clerk)
  // Compares the refresh token, which differs after each refresh. Two access tokens of the same second are equal.
  const token = () => page.evaluate(() => localStorage.getItem('refreshToken'))
  const old = await token()
  const other = await context.newPage()
  await other.goto('/dashboard/contacts')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  // Makes the access token look as if it was received a quarter of an hour ago, so that it has expired.
  await page.evaluate(() => {
    localStorage.setItem('accessTokenReceived', String(Math.floor(Date.now() / 1000) - 15 * 60))
  })
  await Promise.all([page.reload(), other.reload()])
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(token).not.toBe(old)
  await expect(page).toHaveURL(/\/dashboard/)
  await expect(other).toHaveURL('/dashboard/contacts')
})

test('signing out in one tab ends the session in the other', async ({ page, context }) => {
  await page.goto('/login')
  await signIn(page, accounts.kestrel)
  const other = await context.newPage()
  await other.goto('/dashboard/contacts')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByText('Signed out successfully')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await expect(other).toHaveURL('/login?next=%2Fdashboard%2Fcontacts')
})

test('a tab saves nothing as another user who signs in in another tab', async ({ page, context }) => {
  test.setTimeout(120_000)
  const other = await context.newPage()
  await other.goto('/login')
  // With typed input, the login page stays when the user signs in in the first tab.
  await other.getByLabel('Email', { exact: true }).fill(accounts.kestrel)
  await page.goto('/login?next=%2Fdashboard%2Fcontacts')
  await signIn(page, accounts.admin)
  const add = page.getByRole('button', { name: '+ Add New Contact' })
  const name = page.getByRole('dialog').getByLabel('Name')
  await add.click()
  await name.fill('Typed by the admin')
  await signIn(other, accounts.kestrel)
  await page.getByRole('button', { name: 'Create contact' }).click()
  await expect(page.getByText('Another user has signed in in another tab.')).toBeVisible()
  await expect(name).toHaveValue('Typed by the admin')
  await other.getByRole('button', { name: /Profile menu/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login?next=%2Fdashboard%2Fcontacts')
  await signIn(page, accounts.admin)
  await add.click()
  await expect(name).toHaveValue('Typed by the admin')
  // The login page of the other tab has followed.
  await expect(other).toHaveURL(/\/dashboard/)
})

test('signing in returns to the requested page', async ({ page }) => {
  await page.goto('/dashboard/contacts?search=berg')
  await expect(page).toHaveURL('/login?next=%2Fdashboard%2Fcontacts%3Fsearch%3Dberg')
  await signIn(page, accounts.sales)
  await expect(page).toHaveURL('/dashboard/contacts?search=berg')
})

test('an unknown URL redirects to the login page', async ({ page }) => {
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
})

test('the code page without a pending login redirects with a message', async ({ page }) => {
  await page.goto('/otp')
  await expect(page.getByText('No login data found')).toBeVisible()
  await expect(page).toHaveURL('/login')
})

test('the sign-in pages are accessible and fit a phone', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Invalid Inputs!')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await checkAccessibility(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoOverflow(page)
  await mailedCode(accounts.kestrel, () => login(page, accounts.kestrel))
  await expect(page).toHaveURL('/otp')
  await checkAccessibility(page)
  await expectNoOverflow(page)
})

test("a provider's sign-in that no account matches is reported once, and not again after a reload", async ({
  page,
}) => {
  await page.goto('/login?federated=unknown')
  await expect(page.getByRole('alert')).toContainText('No matching account found')
  await expect(page).toHaveURL('/login')
  await page.setViewportSize({ width: 360, height: 740 })
  await checkAccessibility(page)
  await expectNoOverflow(page)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test.describe('with expected errors', () => {
  test.use({ expectedStatuses: [400, 401] })

  test('a wrong password shows an error and keeps the input', async ({ page }) => {
    await page.goto('/login')
    await login(page, accounts.sales, 'not it')
    await expect(page.getByText('Invalid email or password')).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(accounts.sales)
  })

  test('after a wrong code the right one still works', async ({ page }) => {
    await page.goto('/login')
    const code = await mailedCode(accounts.clerk, () => login(page, accounts.clerk))
    const wrong = code === '000000' ? '000001' : '000000'
    await typeCode(page, wrong)
    await expect(page.getByText('Invalid OTP')).toBeVisible()
    await typeCode(page, code)
    await expect(page).toHaveURL('/dashboard')
  })
})

test('a new code can be requested after 30 s, and signs in', async ({ page }) => {
  test.setTimeout(60_000)
  await page.goto('/login')
  await mailedCode(accounts.kestrel, () => login(page, accounts.kestrel))
  const resend = page.getByRole('button', { name: 'Resend code', exact: true })
  await expect(page.getByRole('button', { name: /Resend code in \d+ s/ })).toBeVisible()
  await expect(resend).toBeVisible({ timeout: 35_000 })
  const code = await mailedCode(accounts.kestrel, () => resend.click())
  await page.getByRole('textbox', { name: 'Verification code' }).focus()
  await typeCode(page, code)
  await expect(page).toHaveURL('/dashboard/admin')
})

import { login, mailedCode, people, signIn, typeCode } from './people'
import { expect, fitsTheWindow, scan, test } from './test'

test('a person signs in with the mailed code and arrives at their dashboard', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Sign in · Forecourt')
  const code = await mailedCode(people.sales, async () => {
    await login(page, people.sales)
    await expect(page.getByText('We sent a verification code to your email')).toBeVisible()
  })
  await expect(page.getByRole('link', { name: 'Demo: open the mailbox' })).toHaveAttribute('href', /mailbox/)
  await typeCode(page, code)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('an administrator arrives at the dashboard of administrators', async ({ page }) => {
  await page.goto('/login')
  await signIn(page, people.platform)
  await expect(page).toHaveURL('/dashboard/admin')
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Corporations' })).toBeVisible()
})

test('a remembered device is not asked for a code again', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Remember me').click()
  await signIn(page, people.admin)
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await login(page, people.admin)
  await expect(page).toHaveURL('/dashboard/admin')
})

test('two tabs keep one session while its token is renewed', async ({ page, context }) => {
  await page.goto('/login')
  await signIn(page, people.clerk)
  // The refresh token, because it differs after each refresh. Two access tokens of the same second are equal.
  const token = () => page.evaluate(() => localStorage.getItem('refreshToken'))
  const old = await token()
  const other = await context.newPage()
  await other.goto('/dashboard/contacts')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  // Simulate that the access token was received a quarter of an hour ago.
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
  await signIn(page, people.kestrel)
  const other = await context.newPage()
  await other.goto('/dashboard/contacts')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByText('Signed out successfully')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await expect(other).toHaveURL('/login?next=%2Fdashboard%2Fcontacts')
})

test('after signing in one is back on the page that was wanted', async ({ page }) => {
  await page.goto('/dashboard/contacts?search=berg')
  await expect(page).toHaveURL('/login?next=%2Fdashboard%2Fcontacts%3Fsearch%3Dberg')
  await signIn(page, people.sales)
  await expect(page).toHaveURL('/dashboard/contacts?search=berg')
})

test('any other address leads to the login', async ({ page }) => {
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/')
})

test('the code page without a login says so and leads back', async ({ page }) => {
  await page.goto('/otp')
  await expect(page.getByText('No login data found')).toBeVisible()
  await expect(page).toHaveURL('/login')
})

test('the screens of signing in are accessible and fit a phone', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Invalid Inputs!')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await scan(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await fitsTheWindow(page)
  await mailedCode(people.kestrel, () => login(page, people.kestrel))
  await expect(page).toHaveURL('/otp')
  await scan(page)
  await fitsTheWindow(page)
})

test('a provider that leads back without a sign-in is told in place, once', async ({ page }) => {
  await page.goto('/login?federated=unknown')
  await expect(page.getByRole('alert')).toContainText('No matching account found')
  await expect(page).toHaveURL('/login')
  await page.setViewportSize({ width: 360, height: 740 })
  await scan(page)
  await fitsTheWindow(page)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test.describe('refused', () => {
  test.use({ refusals: [400, 401] })

  test('a wrong password is told, and what was typed stays', async ({ page }) => {
    await page.goto('/login')
    await login(page, people.sales, 'not it')
    await expect(page.getByText('Invalid email or password')).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(people.sales)
  })

  test('a wrong code is told, and the right one still works', async ({ page }) => {
    await page.goto('/login')
    const code = await mailedCode(people.clerk, () => login(page, people.clerk))
    const wrong = code === '000000' ? '000001' : '000000'
    await typeCode(page, wrong)
    await expect(page.getByText('Invalid OTP')).toBeVisible()
    await typeCode(page, code)
    await expect(page).toHaveURL('/dashboard')
  })
})

test('a new code can be mailed after half a minute, and then only that one counts', async ({ page }) => {
  test.setTimeout(60_000)
  await page.goto('/login')
  await mailedCode(people.kestrel, () => login(page, people.kestrel))
  const resend = page.getByRole('button', { name: 'Resend code', exact: true })
  await expect(page.getByRole('button', { name: /Resend code in \d+ s/ })).toBeVisible()
  await expect(resend).toBeVisible({ timeout: 35_000 })
  const code = await mailedCode(people.kestrel, () => resend.click())
  await page.getByRole('textbox', { name: 'Verification code' }).focus()
  await typeCode(page, code)
  await expect(page).toHaveURL('/dashboard/admin')
})

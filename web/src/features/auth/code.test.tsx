import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { delayResponse, errorResponse, network } from '~/test/network'
import { closeAll, open, signInUser } from '~/test/open'
import { codeRequired, failNetwork, openCodePage, pasteText, signInResponse } from '~/test/signIn'

const field = page.getByRole('textbox', { name: 'Verification code' })
const resendRequests = () => network.requests('/api/auth/resend-otp')

/** Advances the fake clock past the countdown of 30 seconds until a new code can be sent. */
async function skipCountdown() {
  // Waits until the countdown has started.
  await expect.element(page.getByRole('button', { name: /Resend code in \d+ s/ })).toBeVisible()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 31_000)
}
afterEach(() => {
  vi.useRealTimers()
})

test('the code page without a pending login redirects to the login page', async () => {
  const app = open('/otp')
  await expect.element(page.getByText('No login data found').first()).toBeVisible()
  await expect.poll(app.address).toBe('/login')
})

test('the code page without an email redirects to the login page', async () => {
  sessionStorage.setItem('login', '{}')
  const app = open('/otp')
  await expect.element(page.getByText('No email found').first()).toBeVisible()
  await expect.poll(app.address).toBe('/login')
})

test('Back leads to the login page and keeps the requested page', async () => {
  const app = await openCodePage()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(app.address).toBe('/login?next=%2Fdashboard%2Fcontacts%2Fimports')
})

test('going back in the history focuses the heading of the login page', async () => {
  const app = await openCodePage()
  await expect.element(field).toHaveFocus()
  await app.go(-1)
  await expect.element(page.getByRole('heading', { name: 'Welcome back' })).toHaveFocus()
})

test('a long email wraps without overflow', async () => {
  const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`
  await openCodePage(email)
  await expect.element(page.getByText(email)).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
})

test('on a phone, the button for a new code is aligned with the text above it', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  await openCodePage()
  const left = (text: RegExp) => page.getByText(text).element().getBoundingClientRect().left
  await expect.element(page.getByText(/^Resend code/)).toBeVisible()
  expect(left(/^Resend code/)).toBe(left(/^No email yet/))
})

test('the pending login does not contain the password', async () => {
  await openCodePage()
  expect(sessionStorage.getItem('login')).toContain('ada@nordbil.example')
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('demo-password')
})

test('pasting six digits submits and opens the requested page', async () => {
  const app = await openCodePage()
  signInUser()
  localStorage.clear()
  network.on('POST /api/auth/verify-otp', () => ({ body: signInResponse('User') }))
  await expect.element(field).toHaveFocus()
  const sent = page.getByText(codeRequired.message)
  await expect.element(sent).toBeVisible()
  pasteText('123 456')
  await expect.poll(app.address).toBe('/dashboard/contacts/imports')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  // The message about the code closes once the code was accepted.
  await expect.poll(() => sent.elements(), { timeout: 2000 }).toHaveLength(0)
  expect(network.requests('/api/auth/verify-otp').map(call => call.body)).toMatchObject([
    { email: 'ada@nordbil.example', otp: '123456' },
  ])
  expect(localStorage.getItem('refreshToken')).toBe('r1')
  expect(sessionStorage.getItem('login')).toBeNull()
})

test('a wrong code shows an error and is cleared', async () => {
  await openCodePage()
  network.on('POST /api/auth/verify-otp', () => errorResponse(400, 'Invalid OTP'))
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('111111')
  await expect.element(page.getByText('Invalid OTP')).toBeVisible()
  await expect.element(field).toHaveValue('')
  await expect.element(field).toHaveFocus()
})

test('a code that is too short is rejected without a request', async () => {
  await openCodePage()
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('123')
  await page.getByRole('button', { name: 'Verify Code' }).click()
  await expect.element(page.getByText('Please enter a valid 6-digit OTP code').first()).toBeVisible()
  // The first empty slot has the focus.
  await expect.element(page.getByRole('textbox', { name: 'Character 4 of 6' })).toHaveFocus()
  expect(network.requests('/api/auth/verify-otp')).toHaveLength(0)
})

test('resending is disabled at first', async () => {
  await openCodePage()
  const resend = page.getByRole('button', { name: /Resend code in \d+ s/ })
  await expect.element(resend).toHaveAttribute('aria-disabled', 'true')
  // Clicked natively, because Playwright doesn't click an `aria-disabled` button.
  ;(resend.element() as HTMLElement).click()
  expect(network.requests('/api/auth/resend-otp')).toHaveLength(0)
})

test('a reload does not restart the time until a new code can be sent', async () => {
  await openCodePage()
  network.on('POST /api/auth/resend-otp', () => ({ body: { success: true, message: 'A new code' } }))
  const reload = () => {
    closeAll()
    open('/otp')
  }
  const resend = page.getByRole('button', { name: 'Resend code', exact: true })
  await skipCountdown()
  reload()
  await resend.click()
  await expect.element(page.getByRole('button', { name: 'Resend code in 30 s' })).toBeVisible()
  vi.setSystemTime(Date.now() + 20_000)
  reload()
  await expect.element(page.getByRole('button', { name: 'Resend code in 10 s' })).toBeVisible()
})

test('resending works after 30 seconds and clears the old code', async () => {
  await openCodePage()
  network.on('POST /api/auth/resend-otp', () => ({ body: { success: true, message: 'A new code' } }))
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('12')
  await skipCountdown()
  await page.getByRole('button', { name: 'Resend code', exact: true }).click()
  await expect.element(page.getByText('A new code').first()).toBeVisible()
  await expect.element(field).toHaveValue('')
  await expect.element(field).toHaveFocus()
  await expect.element(page.getByRole('button', { name: /Resend code in \d+ s/ })).toBeVisible()
  expect(resendRequests().map(call => call.body)).toMatchObject([{ email: 'ada@nordbil.example' }])
})

test.each([
  [429, 'Too many attempts. Please wait a moment.', 'Too many attempts. Please wait a moment.'],
  [500, '', 'Failed to resend OTP'],
])('a failed resend (%i) shows an error', async (status, message, told) => {
  await openCodePage()
  network.on('POST /api/auth/resend-otp', () => errorResponse(status, message))
  await skipCountdown()
  await page.getByRole('button', { name: 'Resend code', exact: true }).click()
  await expect.element(page.getByText(told).first()).toBeVisible()
})

test('no other request is sent while a code is verified', async () => {
  await openCodePage()
  const release = delayResponse('POST /api/auth/verify-otp', () => errorResponse(400, 'Invalid OTP'))
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('123456')
  const verify = page.getByRole('button', { name: 'Verify Code' })
  await expect.element(verify).toHaveAttribute('aria-busy', 'true')
  await skipCountdown()
  await page.getByRole('button', { name: 'Resend code', exact: true }).click()
  await verify.click()
  release()
  await expect.element(page.getByText('Invalid OTP')).toBeVisible()
  expect(network.requests('/api/auth/verify-otp')).toHaveLength(1)
  expect(resendRequests()).toHaveLength(0)
})

test('a network error keeps the typed code', async () => {
  await openCodePage()
  network.on('POST /api/auth/verify-otp', failNetwork)
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('123456')
  await expect.element(page.getByText('No connection to the server', { exact: false })).toBeVisible()
  await expect.element(field).toHaveValue('1')
  network.on('POST /api/auth/verify-otp', () => errorResponse(400, 'Invalid OTP'))
  await page.getByRole('button', { name: 'Verify Code' }).click()
  await expect.element(page.getByText('Invalid OTP')).toBeVisible()
  expect(network.requests('/api/auth/verify-otp').map(call => call.body)).toMatchObject([
    { otp: '123456' },
    { otp: '123456' },
  ])
})

test('a user banned after the password step sees the ban, and the typed code stays in the field', async () => {
  await openCodePage()
  network.on('POST /api/auth/verify-otp', () =>
    errorResponse(403, 'This account is banned from accessing the platform', {
      data: { isBanned: true, reason: 'Repeated spam', bannedAt: '2026-10-01T10:00:00Z' },
    }),
  )
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('123456')
  const dialog = page.getByRole('dialog', { name: 'Account Banned' })
  await expect.element(dialog).toHaveTextContent('Repeated spam')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  await expect.element(field).toHaveValue('1')
})

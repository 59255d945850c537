import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { held, network, refusal } from '~/test/network'
import { open, signedIn, token } from '~/test/open'

const codeSent = {
  success: true,
  message: 'We sent a verification code to your email',
  requiresVerification: true,
}
const signIn = (role: string) => ({
  success: true,
  message: 'Signed in successfully',
  requiresVerification: false,
  data: { tokens: { accessToken: token(role), refreshToken: 'r1' } },
})

async function fillLogin(email = 'ada@nordbil.example', password = 'demo-password') {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabelText('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function waitingForCode() {
  network.on('POST /api/auth/login', () => ({ body: codeSent }))
  const app = open('/login?next=%2Fdashboard%2Fcontacts%2Fimports')
  await fillLogin()
  await expect.poll(app.address).toBe('/otp')
  return app
}

test('an invalid form says so, field by field, and asks nobody', async () => {
  open('/')
  await fillLogin('ada@', '')
  await expect.element(page.getByText('Invalid Inputs!').first()).toBeVisible()
  await expect.element(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect.element(page.getByText('Password is required')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveFocus()
  expect(network.calls('/api/auth/login')).toHaveLength(0)
})

test('a password can be shown and hidden', async () => {
  open('/login')
  const password = page.getByLabelText('Password', { exact: true })
  await expect.element(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect.element(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide characters' }).click()
  await expect.element(password).toHaveAttribute('type', 'password')
})

test('a second click while signing in does nothing', async () => {
  const { wait, release } = held()
  network.on('POST /api/auth/login', async () => {
    await wait
    return refusal(401, 'Invalid email or password')
  })
  open('/login')
  await fillLogin()
  const button = page.getByRole('button', { name: 'Sign in' })
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await button.click()
  release()
  await expect.element(page.getByText('Invalid email or password').first()).toBeVisible()
  expect(network.calls('/api/auth/login')).toHaveLength(1)
})

test('a banned person is told the reason and the date', async () => {
  network.on('POST /api/auth/login', () =>
    refusal(403, 'This account is banned from accessing the platform', {
      data: { isBanned: true, reason: 'Repeated spam', bannedAt: '2026-10-01T10:00:00Z' },
    }),
  )
  open('/login')
  await fillLogin()
  const dialog = page.getByRole('dialog', { name: 'Account Banned' })
  await expect.element(dialog).toHaveTextContent(/Reason.*Repeated spam.*Banned on.*2026/)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('a server that can not be reached says so', async () => {
  network.on('POST /api/auth/login', () => {
    throw new TypeError('Failed to fetch')
  })
  open('/login')
  await fillLogin()
  await expect.element(page.getByText('No connection to the server', { exact: false }).first()).toBeVisible()
})

test('the code page without a login that waits for a code leads back', async () => {
  const app = open('/otp')
  await expect.element(page.getByText('No login data found').first()).toBeVisible()
  expect(app.address()).toBe('/login')
})

test('the kept login never holds the password', async () => {
  await waitingForCode()
  expect(sessionStorage.getItem('login')).toContain('ada@nordbil.example')
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('demo-password')
})

test('six pasted digits submit themselves and lead to the page that was wanted', async () => {
  const app = await waitingForCode()
  signedIn()
  localStorage.clear()
  network.on('POST /api/auth/verify-otp', () => ({ body: signIn('User') }))
  await expect.element(page.getByRole('textbox', { name: 'Verification code' })).toHaveFocus()
  const paste = new DataTransfer()
  paste.setData('text/plain', '123 456')
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: paste, bubbles: true, cancelable: true }),
  )
  await expect.poll(app.address).toBe('/dashboard/contacts/imports')
  expect(network.calls('/api/auth/verify-otp').map(call => call.body)).toMatchObject([
    { email: 'ada@nordbil.example', otp: '123456' },
  ])
  expect(localStorage.getItem('refreshToken')).toBe('r1')
  expect(sessionStorage.getItem('login')).toBeNull()
})

test('a wrong code is told, emptied, and can be typed again', async () => {
  await waitingForCode()
  network.on('POST /api/auth/verify-otp', () => refusal(400, 'Invalid OTP'))
  await expect.element(page.getByRole('textbox', { name: 'Verification code' })).toHaveFocus()
  await userEvent.keyboard('111111')
  await expect.element(page.getByText('Invalid OTP')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Verification code' })).toHaveValue('')
  await expect.element(page.getByRole('textbox', { name: 'Verification code' })).toHaveFocus()
})

test('a code that is too short is refused without asking the server', async () => {
  await waitingForCode()
  await expect.element(page.getByRole('textbox', { name: 'Verification code' })).toHaveFocus()
  await userEvent.keyboard('123')
  await page.getByRole('button', { name: 'Verify Code' }).click()
  await expect.element(page.getByText('Please enter a valid 6-digit OTP code').first()).toBeVisible()
  expect(network.calls('/api/auth/verify-otp')).toHaveLength(0)
})

test('a new code can be asked for only after a while', async () => {
  await waitingForCode()
  const resend = page.getByRole('button', { name: /Resend code in \d+ s/ })
  await expect.element(resend).toHaveAttribute('aria-disabled', 'true')
  // As a mouse would do it: the button only says that it is off.
  ;(resend.element() as HTMLElement).click()
  expect(network.calls('/api/auth/resend-otp')).toHaveLength(0)
})

test('without tokens every screen leads to the login, which remembers it', async () => {
  const app = open('/dashboard/contacts?page=2')
  await expect.poll(app.address).toBe('/login?next=%2Fdashboard%2Fcontacts%3Fpage%3D2')
})

test('one token alone is no session', async () => {
  localStorage.setItem('accessToken', token('Admin'))
  const app = open('/dashboard')
  await expect.poll(app.address).toBe('/login?next=%2Fdashboard')
})

test.each(['/nonsense', '/dashboard/nonsense'])('%s is no page and leads to the login', async address => {
  const app = open(address)
  await expect.element(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect(app.address()).toBe('/')
})

test('whoever is signed in already is led on from the login', async () => {
  signedIn()
  const app = open('/nonsense')
  await expect.element(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible()
  expect(app.address()).toBe('/dashboard/admin')
})

test('a server that is away while one comes in is tried again', async () => {
  signedIn()
  network.on('GET /api/auth/profile/detail', () =>
    refusal(503, 'The server is busy. Please try again in a moment.'),
  )
  open('/dashboard')
  await expect.element(page.getByRole('alert')).toHaveTextContent(/could not be loaded.*The server is busy/)
  signedIn()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible()
})

test('signing out tells the server, forgets the tokens and leads to the login', async () => {
  signedIn()
  const token = localStorage.getItem('accessToken')
  network.on('POST /api/auth/logout', () => ({ body: { success: true, message: 'Signed out successfully' } }))
  const app = open('/dashboard')
  await page.getByRole('button', { name: 'Profile menu of Ada Lind' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect.poll(app.address).toBe('/login')
  expect(network.calls('/api/auth/logout').map(call => call.token)).toEqual([`Bearer ${token}`])
  expect(localStorage.getItem('accessToken')).toBeNull()
})

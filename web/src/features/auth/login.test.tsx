import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { deviceName } from '~/lib/device'
import { site } from '~/lib/site'
import { deferred, delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, open } from '~/test/open'
import { failNetwork, submitLogin } from '~/test/signIn'

const password = page.getByLabelText('Password', { exact: true })

afterEach(() => {
  site.provider = undefined
})

/** Submits the form again. The fake server doesn't respond until the test says so. */
async function submitAgain() {
  network.on('POST /api/auth/login', () => deferred().wait.then(() => errorResponse(500, '')))
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('an invalid login form shows its errors and sends no request', async () => {
  open('/')
  await submitLogin('ada@', '')
  await expect.element(page.getByText('Invalid Inputs!').first()).toBeVisible()
  await expect.element(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect.element(page.getByText('Password is required')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveFocus()
  expect(network.requests('/api/auth/login')).toHaveLength(0)
})

test('a password can be shown and hidden', async () => {
  open('/login')
  await expect.element(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect.element(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect.element(password).toHaveAttribute('type', 'password')
})

test('after a language choice, the button of the other language has the focus', async () => {
  sessionStorage.setItem('languageSwitchedIn', JSON.stringify('sign-in'))
  open('/login')
  await expect.element(page.getByRole('button', { name: 'Svenska' })).toHaveFocus()
  expect(sessionStorage.getItem('languageSwitchedIn')).toBeNull()
})

test('a second click while signing in does nothing', async () => {
  const release = delayResponse('POST /api/auth/login', () => errorResponse(401, 'Invalid email or password'))
  open('/login')
  await submitLogin()
  const button = page.getByRole('button', { name: 'Sign in' })
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await button.click()
  release()
  await expect.element(page.getByText('Invalid email or password').first()).toBeVisible()
  expect(network.requests('/api/auth/login')).toHaveLength(1)
})

test('a banned user sees the reason and the date', async () => {
  network.on('POST /api/auth/login', () =>
    errorResponse(403, 'This account is banned from accessing the platform', {
      data: { isBanned: true, reason: 'Repeated spam', bannedAt: '2026-10-01T10:00:00Z' },
    }),
  )
  open('/login')
  await submitLogin()
  const dialog = page.getByRole('dialog', { name: 'Account Banned' })
  await expect.element(dialog).toHaveTextContent(/Reason.*Repeated spam.*Banned on.*2026/)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('says that the server is unreachable', async () => {
  network.on('POST /api/auth/login', failNetwork)
  open('/login')
  await submitLogin()
  await expectAlert('No connection to the server')
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@nordbil.example')
  await expect.element(password).toHaveValue('demo-password')
})

test('wrong credentials show an error and the password can be retyped', async () => {
  network.on('POST /api/auth/login', () => errorResponse(401, 'Invalid email or password'))
  open('/login')
  await submitLogin()
  await expectAlert('Invalid email or password')
  await expect.element(password).toHaveFocus()
  await userEvent.keyboard('x')
  await expect.element(password).toHaveValue('x')
})

test("an error scrolls into view above a phone's keyboard", async () => {
  await page.viewport(360, 320)
  network.on('POST /api/auth/login', () =>
    errorResponse(429, 'Too many attempts. Please try again in 5 minutes.'),
  )
  open('/login')
  await submitLogin()
  const alert = page.getByRole('alert')
  await expect.element(alert).toHaveTextContent('Too many attempts')
  await expect.element(alert).toBeInViewport({ ratio: 1 })
  await page.viewport(1280, 800)
})

test.each([
  [403, 'This account is deactivated. Contact your administrator.'],
  [
    403,
    "This account is locked after too many wrong codes. Reset your password with 'Forgot password?' to sign in again.",
  ],
  [429, 'Too many attempts. Please try again in 5 minutes.'],
  [503, 'The server is busy. Please try again in a moment.'],
])('an error stays visible until the next attempt (%i %s)', async (status, sentence) => {
  network.on('POST /api/auth/login', () => errorResponse(status, sentence))
  open('/login')
  await submitLogin()
  await expectAlert(sentence)
  await submitAgain()
  await expect.poll(() => page.getByRole('alert').elements()).toHaveLength(0)
})

test('if the error response has no message, the default message is shown', async () => {
  network.on('POST /api/auth/login', () => errorResponse(500, ''))
  open('/login')
  await submitLogin()
  await expectAlert('Something went wrong while logging in')
})

test('the fields have autocomplete tokens for password managers', async () => {
  open('/login')
  await expect
    .element(page.getByRole('textbox', { name: 'Email' }))
    .toHaveAttribute('autocomplete', 'username')
  await expect.element(password).toHaveAttribute('autocomplete', 'current-password')
})

test('the typed email is prefilled on the forgot password page', async () => {
  const app = open('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@nordbil.example')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect.poll(app.address).toBe('/forgot-password')
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@nordbil.example')
})

test('sign-in with a provider is offered only if configured', async () => {
  open('/login')
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(page.getByRole('link', { name: /^Continue with/ }).elements()).toHaveLength(0)
})

test('sign-in with a provider links to the configured provider', async () => {
  site.provider = 'Google'
  open('/login')
  const link = page.getByRole('link', { name: 'Continue with Google' })
  const query = new URLSearchParams({ deviceName: deviceName() })
  await expect.element(link).toHaveAttribute('href', `/api/auth/google?${query}`)
})

test.each([
  ['off', 'Sign-in with an identity provider is not configured.'],
  ['failed', 'Sign-in with the provider failed. Please try again.'],
  ['unknown', 'No matching account found.'],
  ['<b>nonsense</b>', 'Sign-in with the provider failed. Please try again.'],
])("the provider's outcome %s is shown once and removed from the URL", async (federated, told) => {
  const app = open(`/login?${new URLSearchParams({ federated, next: '/dashboard/contacts' })}`)
  await expectAlert(told)
  await expect.poll(app.address).toBe('/login?next=%2Fdashboard%2Fcontacts')
  await expectAlert(told)
})

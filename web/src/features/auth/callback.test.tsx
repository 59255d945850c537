import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, open, signInUser } from '~/test/open'
import { failNetwork, tokens } from '~/test/signIn'

const address = '/auth/callback?accessToken=h1&refreshToken=h2'
const failed = 'Sign-in with the provider failed. Please try again.'
const verifyRequests = () => network.requests('/api/auth/verify-token').map(call => call.body)

/** Returns a successful response to `verify-token`, with tokens for a user with this role. */
function valid(role: string) {
  const pair = tokens(role)
  return { body: { success: true, data: { valid: true, tokens: pair }, tokens: pair } }
}

/** Makes the fake server know a signed-in user, and removes the tokens from the browser. */
function serveSignedInUser() {
  signInUser()
  localStorage.clear()
}

/** Opens the callback page with valid one-time values. `wantedPage` is the page that the user had requested before. */
function openCallback(wantedPage: string) {
  serveSignedInUser()
  sessionStorage.setItem('wantedPage', wantedPage)
  network.on('POST /api/auth/verify-token', () => valid('User'))
  return open(address)
}

test.each([
  ['Super Admin', '/dashboard/admin'],
  ['User', '/dashboard'],
])('exchanges the one-time values once and redirects %s home', async (role, home) => {
  serveSignedInUser()
  network.on('POST /api/auth/verify-token', () => valid(role))
  const app = open(address)
  await expect.poll(app.address).toBe(home)
  expect(verifyRequests()).toEqual([{ accessToken: 'h1', refreshToken: 'h2' }])
  expect(localStorage.getItem('refreshToken')).toBe('r1')
})

test('returns to the page requested before the sign-in with a provider', async () => {
  const app = openCallback('/dashboard/contacts/imports')
  await expect.poll(app.address).toBe('/dashboard/contacts/imports')
  expect(sessionStorage.getItem('wantedPage')).toBeNull()
})

test('does not redirect to a foreign URL after a sign-in with a provider', async () => {
  const app = openCallback('//evil.example/dashboard')
  await expect.poll(app.address).toBe('/dashboard')
})

test.each([
  '/auth/callback',
  '/auth/callback?accessToken=a1',
  '/auth/callback?refreshToken=r1',
  '/auth/callback?accessToken=&refreshToken=r1',
])('%s lacks a value and redirects to the login page', async lacking => {
  const app = open(lacking)
  await expect.poll(app.address).toBe('/login')
  expect(verifyRequests()).toHaveLength(0)
})

test('invalid one-time values redirect to the login page with a message', async () => {
  network.on('POST /api/auth/verify-token', () => ({ body: { success: true, data: { valid: false } } }))
  const app = open(address)
  await expect.poll(app.address).toBe('/login')
  await expect.element(page.getByText(failed)).toBeVisible()
  expect(localStorage.getItem('accessToken')).toBeNull()
})

test('o5: a link with session tokens does not sign the user in', async () => {
  const pair = tokens('User')
  network.on('POST /api/auth/verify-token', () => ({
    body: { success: true, data: { valid: true, tokens: pair }, tokens: pair },
  }))
  const app = open(`/auth/callback?${new URLSearchParams(pair)}`)
  await expect.poll(app.address).toBe('/login')
  await expect.element(page.getByText(failed)).toBeVisible()
  expect(localStorage.getItem('accessToken')).toBeNull()
})

test('malformed one-time values redirect to the login page', async () => {
  network.on('POST /api/auth/verify-token', () => errorResponse(400, 'Maximum length is 2048 characters'))
  const app = open(address)
  await expect.poll(app.address).toBe('/login')
  await expect.element(page.getByText(failed)).toBeVisible()
})

test('a rejected account sees the reason and a link to the login page', async () => {
  const sentence = 'This account is deactivated. Contact your administrator.'
  network.on('POST /api/auth/verify-token', () => errorResponse(403, sentence))
  const app = open(address)
  await expectAlert(sentence)
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect.poll(app.address).toBe('/login')
})

test('a banned user sees reason and date after a sign-in with a provider', async () => {
  network.on('POST /api/auth/verify-token', () =>
    errorResponse(403, 'This account is banned from accessing the platform', {
      data: { isBanned: true, reason: 'Repeated spam', bannedAt: '2026-10-01T10:00:00Z' },
    }),
  )
  const app = open(address)
  const dialog = page.getByRole('dialog', { name: 'Account Banned' })
  await expect.element(dialog).toHaveTextContent(/Reason.*Repeated spam.*Banned on.*2026/)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(app.address).toBe('/login')
})

test('shows progress while the sign-in completes', async () => {
  serveSignedInUser()
  const release = delayResponse('POST /api/auth/verify-token', () => valid('User'))
  const app = open(address)
  await expect.element(page.getByRole('status')).toHaveTextContent('Signing you in')
  release()
  await expect.poll(app.address).toBe('/dashboard')
})

test('after a network error, a retry with the same values signs in', async () => {
  serveSignedInUser()
  network.on('POST /api/auth/verify-token', failNetwork)
  const app = open(address)
  await expectAlert('No connection to the server')
  await expect.poll(app.address).toMatch('/auth/callback')
  network.on('POST /api/auth/verify-token', () => valid('User'))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.poll(app.address).toBe('/dashboard')
  expect(verifyRequests()).toEqual([
    { accessToken: 'h1', refreshToken: 'h2' },
    { accessToken: 'h1', refreshToken: 'h2' },
  ])
})

test('the error page links to the login page', async () => {
  network.on('POST /api/auth/verify-token', () => errorResponse(503, 'The server is busy.'))
  const app = open(address)
  await expectAlert('The server is busy.')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect.poll(app.address).toBe('/login')
})

import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { site } from '~/lib/site'
import { delayResponse, errorResponse, network } from '~/test/network'
import { closeAll, expectAlert, open } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const done =
  'Your email address is confirmed. A platform administrator will activate your corporation. We will email you when you can sign in.'
const over =
  'This link has expired or has already been used. If your email address is not confirmed yet, please register again.'
const sent = () => network.requests('/api/auth/verify-email').map(call => call.body)
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const registerLink = page.getByRole('link', { name: 'Register your company' })

afterEach(() => {
  site.signup = undefined
})

test('v8: a link confirms the registration and its token leaves the URL', async () => {
  const release = delayResponse('POST /api/auth/verify-email', () => ({
    body: { success: true, message: done },
  }))
  const app = open('/verify-email?token=t1')
  await expect.element(page.getByRole('status')).toHaveTextContent('Confirming your email address')
  release()
  await expect.element(heading('Email address confirmed')).toBeVisible()
  await expect.element(page.getByText(done)).toBeVisible()
  expect(app.address()).toBe('/verify-email')
  expect(sent()).toEqual([{ token: 't1' }])
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect.poll(app.address).toBe('/login')
})

test.each([
  [400, over],
  [403, 'Registration is closed. Contact the platform administrator.'],
  [409, 'An account with this email address already exists.'],
])('v8: a %i response is shown without a retry', async (status, sentence) => {
  network.on('POST /api/auth/verify-email', () => errorResponse(status, sentence))
  open('/verify-email?token=t1')
  await expectAlert(sentence)
  await expect.element(heading("This link can't be used any more")).toBeVisible()
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
})

test('v8: a reload or the same link shows again that the registration is confirmed', async () => {
  network.on('POST /api/auth/verify-email', () => ({ body: { success: true, message: done } }))
  for (const address of ['/verify-email?token=t1', '/verify-email', '/verify-email?token=t1']) {
    open(address)
    await expect.element(heading('Email address confirmed')).toBeVisible()
    await expect.element(page.getByText(done)).toBeVisible()
    closeAll()
  }
  expect(sent()).toEqual([{ token: 't1' }])
  // Another link is not confirmed by that.
  network.on('POST /api/auth/verify-email', () => errorResponse(400, over))
  open('/verify-email?token=t2')
  await expectAlert(over)
})

test('v8: an invalid link leads to the registration only if it is open', async () => {
  site.signup = true
  const app = open('/verify-email')
  await registerLink.click()
  await expect.poll(app.address).toBe('/signup')
  await expect.element(page.getByRole('button', { name: 'Register company' })).toBeVisible()
  site.signup = false
  await app.visit('/verify-email')
  await expectAlert(over)
  expect(registerLink.elements()).toHaveLength(0)
})

test('v8: a reload shows again why a link was refused', async () => {
  const sentence = 'An account with this email address already exists.'
  network.on('POST /api/auth/verify-email', () => errorResponse(409, sentence))
  open('/verify-email?token=t1')
  await expectAlert(sentence)
  // Simulate a reload.
  closeAll()
  open('/verify-email')
  await expectAlert(sentence)
})

test.each([400, 403])('v8: after a %i response, the token is forgotten', async status => {
  network.on('POST /api/auth/verify-email', () => errorResponse(status, over))
  open('/verify-email?token=t1')
  await expectAlert(over)
  expect(sessionStorage.getItem('signupToken')).toBeNull()
})

test('v8: without a token the link is invalid and no request is sent', async () => {
  open('/verify-email?token=')
  await expectAlert(over)
  expect(sent()).toHaveLength(0)
})

test('v8: after a network error, a retry confirms with the same token', async () => {
  network.on('POST /api/auth/verify-email', failNetwork)
  open('/verify-email?token=t1')
  await expectAlert('No connection to the server')
  network.on('POST /api/auth/verify-email', () => ({ body: { success: true, message: done } }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(heading('Email address confirmed')).toHaveFocus()
  expect(sent()).toEqual([{ token: 't1' }, { token: 't1' }])
})

test('an error without a message shows its list of errors', async () => {
  network.on('POST /api/auth/verify-email', () => ({
    status: 400,
    body: { success: false, errors: ['The first sentence.', 'The second.'] },
  }))
  open('/verify-email?token=t1')
  await expectAlert('The first sentence.; The second.')
})

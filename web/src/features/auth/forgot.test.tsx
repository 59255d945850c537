import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { site } from '~/lib/site'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, open } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const email = page.getByRole('textbox', { name: 'Email' })
const send = page.getByRole('button', { name: 'Reset Password' })
const sent = 'If there is an account with this email, we have sent a link to reset the password.'
const sentBodies = () => network.requests('/api/auth/forgot-password').map(call => call.body)

afterEach(() => {
  site.mailbox = undefined
})

test('a reset link can be requested by keyboard and requested again', async () => {
  network.on('POST /api/auth/forgot-password', () => ({ body: { success: true, message: sent } }))
  open('/forgot-password')
  await email.click()
  await userEvent.keyboard(' ada@nordbil.example {Enter}')
  await expect.element(page.getByRole('main').getByText(sent)).toBeVisible()
  await expect.element(page.getByText('Check your spam folder', { exact: false })).toBeVisible()
  // The message is shown twice: in the page and as a toast.
  await expect.poll(() => page.getByText(sent).elements()).toHaveLength(2)
  expect(page.getByText('Demo: open the mailbox').elements()).toHaveLength(0)
  await send.click()
  await expect.poll(sentBodies).toHaveLength(2)
  expect(sentBodies()[0]).toEqual({ email: 'ada@nordbil.example' })
})

test('the demo links to its mailbox', async () => {
  site.mailbox = '/demo/mailbox'
  network.on('POST /api/auth/forgot-password', () => ({ body: { success: true, message: sent } }))
  open('/forgot-password')
  await email.fill('ada@nordbil.example')
  // There is no link to the demo's mailbox, because no mail was sent yet.
  expect(page.getByText('Demo: open the mailbox').elements()).toHaveLength(0)
  await send.click()
  await expect
    .element(page.getByRole('link', { name: 'Demo: open the mailbox' }))
    .toHaveAttribute('href', '/demo/mailbox')
})

test.each(['', 'ada@', 'ada nordbil'])('"%s" is an invalid email and sends no request', async wrong => {
  open('/forgot-password')
  await email.fill(wrong)
  await send.click()
  await expect.element(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect.element(email).toHaveFocus()
  expect(sentBodies()).toHaveLength(0)
})

test('a second click while the request is pending does nothing', async () => {
  const release = delayResponse('POST /api/auth/forgot-password', () => ({
    body: { success: true, message: sent },
  }))
  open('/forgot-password')
  await email.fill('ada@nordbil.example')
  await send.click()
  await expect.element(send).toHaveAttribute('aria-busy', 'true')
  await send.click()
  release()
  await expect.element(page.getByRole('main').getByText(sent)).toBeVisible()
  expect(sentBodies()).toHaveLength(1)
})

test('an error is shown in place and keeps the input', async () => {
  const sentence = 'Too many attempts. Please try again in 5 minutes.'
  network.on('POST /api/auth/forgot-password', () => errorResponse(429, sentence))
  open('/forgot-password')
  await email.fill('ada@nordbil.example')
  await send.click()
  await expectAlert(sentence)
  network.on('POST /api/auth/forgot-password', failNetwork)
  await send.click()
  await expectAlert('No connection to the server')
  network.on('POST /api/auth/forgot-password', () => errorResponse(500, ''))
  await send.click()
  await expectAlert('Failed to send the link. Please try again.')
  await expect.element(email).toHaveValue('ada@nordbil.example')
})

test('links back to the login page, whose heading gets the focus', async () => {
  const app = open('/forgot-password')
  await expect.element(page.getByRole('heading', { name: 'Forgot your password?' })).not.toHaveFocus()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect.poll(app.address).toBe('/login')
  await expect.element(page.getByRole('heading', { name: 'Welcome back' })).toHaveFocus()
})

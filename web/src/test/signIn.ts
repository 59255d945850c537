import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { network } from './network'
import { open, token } from './open'

const codeSent = 'We sent a verification code to your email'

/** The response to a login that requires a mailed code. */
export const codeRequired = {
  success: true,
  message: codeSent,
  messages: [{ code: 'auth.code_sent', text: codeSent }],
  requiresVerification: true,
}

export const tokens = (role: string) => ({ accessToken: token(role), refreshToken: 'r1' })

/** Returns the response to a login that succeeds, with tokens for a user with this role. */
export const signInResponse = (role: string) => ({
  success: true,
  message: 'Signed in successfully',
  requiresVerification: false,
  data: { tokens: tokens(role) },
})

/** Fills in and submits the login form. */
export async function submitLogin(email = 'ada@nordbil.example', password = 'demo-password') {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabelText('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Opens the page for the mailed code, with a pending login of this e-mail address. */
export async function openCodePage(email?: string) {
  network.on('POST /api/auth/login', () => ({ body: codeRequired }))
  const app = open('/login?next=%2Fdashboard%2Fcontacts%2Fimports')
  await submitLogin(email)
  await expect.poll(app.address).toBe('/otp')
  return app
}

/** Pastes a text into the focused element, as a user does. */
export function pasteText(text: string) {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  )
}

/** A handler for `network.on` that fails like a lost connection, without a response. */
export const failNetwork = () => {
  throw new TypeError('Failed to fetch')
}

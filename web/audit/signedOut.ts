import type { Page } from '@playwright/test'
import { accounts, login, PASSWORD } from '../e2e/accounts'
import { blockRequests, expectText, fill, open, press, rejectRequests, state } from './steps'

const banned = {
  success: false,
  message: 'Account banned',
  errors: ['Account banned'],
  fields: {},
  data: { isBanned: true, reason: 'Left the company', bannedAt: '2026-01-02T03:04:05Z' },
}

const submit = (password: string) => (page: Page) => login(page, accounts.sales, password)

/** The states of the screens that are visible without signing in. */
export const signedOutStates = [
  state('Sign in', open('/login')),
  state(
    'Sign in, with errors',
    open('/login'),
    press('Sign in'),
    expectText('Please enter a valid email address'),
  ),
  state(
    'Sign in, refused',
    rejectRequests(/\/api\/auth\/login/, 401),
    open('/login'),
    submit('wrong'),
    expectText('The server is busy'),
  ),
  state(
    'Sign in, banned',
    rejectRequests(/\/api\/auth\/login/, 403, banned),
    open('/login'),
    submit('wrong'),
    expectText('Account Banned'),
  ),
  state('Sign in, waiting', blockRequests(/\/api\/auth\/login/), open('/login'), submit('wrong'), page =>
    page.locator('[aria-busy="true"]').first().waitFor(),
  ),
  state('Sign in, code', open('/login'), submit(PASSWORD), page => page.waitForURL('**/otp')),
  state('Forgot password', open('/forgot-password')),
  state(
    'Forgot password, with errors',
    open('/forgot-password'),
    press('Reset Password'),
    expectText('Please enter a valid email address'),
  ),
  state(
    'Forgot password, sent',
    open('/forgot-password'),
    fill('Email', 'nobody@weser.example'),
    press('Reset Password'),
    page => page.getByRole('main').getByText(/link/).first().waitFor(),
  ),
  state('New password', open('/reset-password?token=made-up')),
  state(
    'New password, with errors',
    open('/reset-password?token=made-up'),
    fill('New password', 'password'),
    fill('Confirm password', 'passwort'),
    expectText('Passwords must match'),
    expectText('Very weak.'),
  ),
  state('New password, without a link', open('/reset-password')),
  state('Register company', open('/signup')),
  state(
    'Register company, with errors',
    open('/signup'),
    press('Register company'),
    expectText('Organization Number is required'),
  ),
  state(
    'Confirm email address, refused',
    open('/verify-email'),
    expectText("This link can't be used any more"),
  ),
  state(
    'Coming back from a provider, failed',
    rejectRequests(/\/api\/auth\/verify-token/),
    open('/auth/callback?accessToken=made-up&refreshToken=made-up-too'),
    expectText('Try Again'),
  ),
  state('Nothing at that address, not signed in', open('/no-such-page')),
]

import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Profile } from '~/core'
import { errorResponse, network } from '~/test/network'
import { open } from '~/test/open'
import { serveAccount } from '~/test/settings'
import { clearUserData } from './guard'

const LANGUAGE = '/api/auth/profile/language'
const PENDING = 'untoldLanguage'

// Each test starts signed out.
beforeEach(clearUserData)

/** Stores a language choice of `user` that isn't sent to the server yet, and signs in the user `u1`. */
function signInWithPendingLanguage(user: string, chosen: string, more: Partial<Profile> = {}) {
  localStorage.setItem(PENDING, JSON.stringify({ user, language: chosen }))
  serveAccount(more)
}

const savedLanguages = () => network.requests(LANGUAGE).map(({ method, body }) => [method, body])
const failureToast = page.getByText(
  "The language was changed on this device, but couldn't be saved for your other devices.",
)

test('the language chosen on this device overrides the account and is saved to it', async () => {
  signInWithPendingLanguage('u1', 'en', { language: 'sv' })
  network.on(`PUT ${LANGUAGE}`, () => ({ body: { success: true, message: 'Language updated successfully' } }))
  open('/dashboard/profile')
  await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
  await expect.poll(savedLanguages).toEqual([['PUT', { language: 'en' }]])
  await expect.poll(() => localStorage.getItem(PENDING)).toBeNull()
  expect(failureToast.elements()).toHaveLength(0)
})

test('a language that could not be saved is reported and stays pending', async () => {
  signInWithPendingLanguage('u1', 'en', { language: 'sv' })
  network.on(`PUT ${LANGUAGE}`, () => errorResponse(503, 'The server is busy. Please try again in a moment.'))
  open('/dashboard/profile')
  await expect.element(failureToast).toBeVisible()
  await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
  expect(JSON.parse(localStorage.getItem(PENDING) ?? '')).toEqual({ user: 'u1', language: 'en' })
})

test('in a narrow window a toast has most of its width for its text', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  // As wide as 360 px are with twice the text size.
  await page.viewport(180, 740)
  signInWithPendingLanguage('u1', 'en', { language: 'sv' })
  network.on(`PUT ${LANGUAGE}`, () => errorResponse(503, 'The server is busy. Please try again in a moment.'))
  open('/dashboard/profile')
  await expect.element(failureToast).toBeVisible()
  const text = failureToast.element()
  const toast = text.closest('[data-toast]')
  expect(text.clientWidth).toBeGreaterThan((toast?.clientWidth ?? 0) / 2)
})

test.each([
  ['menu', /^Profile menu of/],
  ['settings', 'Change language'],
])('after a language choice in the %s, its button has the focus', async (place, name) => {
  serveAccount()
  sessionStorage.setItem('languageSwitchedIn', JSON.stringify(place))
  open('/dashboard/profile')
  await expect.element(page.getByRole('button', { name })).toHaveFocus()
  expect(sessionStorage.getItem('languageSwitchedIn')).toBeNull()
})

test('an arrow key in Settings only chooses a language, which a button applies', async () => {
  serveAccount()
  open('/dashboard/profile')
  const change = page.getByRole('button', { name: 'Change language' })
  await expect.element(change).toHaveAttribute('aria-disabled', 'true')
  const english = page.getByRole('radio', { name: 'English' }).element() as HTMLElement
  english.focus()
  await userEvent.keyboard('{ArrowDown}')
  const swedish = page.getByRole('radio', { name: 'Svenska' })
  await expect.element(swedish).toBeChecked()
  await expect.element(swedish).toHaveFocus()
  await expect.element(change).not.toHaveAttribute('aria-disabled')
  expect(localStorage.getItem('language')).toBeNull()
})

test("another user's pending language is not saved to this account", async () => {
  signInWithPendingLanguage('u2', 'sv')
  open('/dashboard/profile')
  await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
  expect(savedLanguages()).toEqual([])
  expect(localStorage.getItem(PENDING)).toContain('u2')
})

test.each([undefined, 'en', 'fi'])(
  "an English page is not reloaded if the account's language is %s",
  async language => {
    serveAccount({ language: language as Profile['language'] })
    open('/dashboard/profile')
    await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
    expect(localStorage.getItem('language')).toBeNull()
    expect(savedLanguages()).toEqual([])
  },
)

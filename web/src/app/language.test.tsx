import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Profile } from '~/core'
import { errorResponse, network } from '~/test/network'
import { open } from '~/test/open'
import { serveAccount } from '~/test/settings'
import { clearUserData } from './guard'

const LANGUAGE = '/api/auth/profile/language'
const PENDING = 'untoldLanguage'

// Nobody has come in yet.
beforeEach(clearUserData)

/** Somebody whose account says this of their language chose this one here before the page opened. */
function chose(user: string, chosen: string, more: Partial<Profile> = {}) {
  localStorage.setItem(PENDING, JSON.stringify({ user, language: chosen }))
  serveAccount(more)
}

const told = () => network.requests(LANGUAGE).map(({ method, body }) => [method, body])
const failed = page.getByText(
  'The language is chosen on this device, but could not be saved for your others.',
)

test('what somebody chose here goes before what their account says, which is told of it', async () => {
  chose('u1', 'en', { language: 'sv' })
  network.on(`PUT ${LANGUAGE}`, () => ({ body: { success: true, message: 'Language updated successfully' } }))
  open('/dashboard/profile')
  await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
  await expect.poll(told).toEqual([['PUT', { language: 'en' }]])
  await expect.poll(() => localStorage.getItem(PENDING)).toBeNull()
  expect(failed.elements()).toHaveLength(0)
})

test('that the account could not be told is said, and it is told when they come in again', async () => {
  chose('u1', 'en', { language: 'sv' })
  network.on(`PUT ${LANGUAGE}`, () => errorResponse(503, 'The server is busy. Please try again in a moment.'))
  open('/dashboard/profile')
  await expect.element(failed).toBeVisible()
  await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
  expect(JSON.parse(localStorage.getItem(PENDING) ?? '')).toEqual({ user: 'u1', language: 'en' })
})

test('what another person chose on this device is not told for this one', async () => {
  chose('u2', 'sv')
  open('/dashboard/profile')
  await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
  expect(told()).toEqual([])
  expect(localStorage.getItem(PENDING)).toContain('u2')
})

test.each([undefined, 'en', 'fi'])(
  'a page in English stays open for whose language is %s',
  async language => {
    serveAccount({ language: language as Profile['language'] })
    open('/dashboard/profile')
    await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
    expect(localStorage.getItem('language')).toBeNull()
    expect(told()).toEqual([])
  },
)

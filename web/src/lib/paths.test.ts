import { expect, test } from 'vitest'
import { displayPath, loginUrl, safeRedirect } from './paths'

test('after signing in one comes to the page that was wanted', () => {
  expect(safeRedirect('/dashboard/contacts?page=2', '/dashboard')).toBe('/dashboard/contacts?page=2')
})

test.each([null, '', 'https://evil.example', '//evil.example', '/dashboards', '/login', 'dashboard'])(
  'an address that is none of ours leads home: %s',
  wanted => {
    expect(safeRedirect(wanted, '/dashboard/admin')).toBe('/dashboard/admin')
  },
)

test('the login address carries the wanted page whole', () => {
  const { searchParams } = new URL(loginUrl('/dashboard/contacts?page=2&search=a%26b'), 'http://localhost')
  expect(searchParams.get('next')).toBe('/dashboard/contacts?page=2&search=a%26b')
})

test('an address is told as one writes it, and what is not to be seen in it as it is spelt', () => {
  expect(displayPath('/dashboard/%C3%A5%20b%0Ac%E2%80%AE')).toBe('/dashboard/å b%0Ac%E2%80%AE')
})

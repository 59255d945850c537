import { expect, test } from 'vitest'
import { displayPath, loginUrl, safeRedirect } from './paths'

test('returns to the requested page after sign-in', () => {
  expect(safeRedirect('/dashboard/contacts?page=2', '/dashboard')).toBe('/dashboard/contacts?page=2')
})

test.each([null, '', 'https://evil.example', '//evil.example', '/dashboards', '/login', 'dashboard'])(
  'redirects home instead of to a foreign URL: %s',
  wanted => {
    expect(safeRedirect(wanted, '/dashboard/admin')).toBe('/dashboard/admin')
  },
)

test('the login URL contains the complete requested URL', () => {
  const { searchParams } = new URL(loginUrl('/dashboard/contacts?page=2&search=a%26b'), 'http://localhost')
  expect(searchParams.get('next')).toBe('/dashboard/contacts?page=2&search=a%26b')
})

test('displays a path decoded, except for invisible characters', () => {
  expect(displayPath('/dashboard/%C3%A5%20b%0Ac%E2%80%AE')).toBe('/dashboard/å b%0Ac%E2%80%AE')
})

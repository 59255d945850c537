import { expect, test, vi } from 'vitest'
import { figure } from './format'

vi.mock('~/language', () => ({ count: String, regionalLocale: 'sv-SE' }))

test('a number of a record has the separators of the region', () => {
  expect(figure(125.5)).toBe('125,5')
  expect(figure(8500)).toBe('8500')
  expect(figure(23_400)).toBe('23\u00a0400')
})

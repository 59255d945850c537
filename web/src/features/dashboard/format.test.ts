import { expect, test, vi } from 'vitest'
import { monthName, nameOfMonth, ownAmountFormats } from './format'

// An English page in a Swedish browser.
vi.mock('~/language', () => ({ count: String, locale: 'en', regionalLocale: 'sv-SE', dateLocale: 'en-SE' }))

test('months and abbreviated amounts are in the language of the page', () => {
  expect(monthName('2026-10')).toEqual({ short: 'Oct', long: 'Oct 2026' })
  expect(nameOfMonth('2026-10')).toBe('October')
  expect(ownAmountFormats().short(34_100)).toBe('£34,1K')
  expect(ownAmountFormats().plain(34_100)).toBe('34,1K')
})

import { expect, test, vi } from 'vitest'
import { monthName, nameOfMonth, ownAmountFormats } from './format'

// An English page in a Swedish browser.
vi.mock('~/language', () => ({ count: String, locale: 'en', regionalLocale: 'sv-SE', dateLocale: 'en-SE' }))

test('months and amounts are in the language of the page', () => {
  expect(monthName('2026-10')).toEqual({ short: 'Oct', long: 'Oct 2026' })
  expect(nameOfMonth('2026-10')).toBe('October')
  expect(ownAmountFormats().short(34_100)).toBe('34,1K\u00a0£')
  expect(ownAmountFormats().plain(34_100)).toBe('34,1K')
})

test('amounts have the currency on the same side, in full and abbreviated', () => {
  const { full, short } = ownAmountFormats()
  expect([full(34_100), short(-34_100), short(0)]).toEqual([
    '34\u00a0100\u00a0£',
    '-34,1K\u00a0£',
    '0\u00a0£',
  ])
})

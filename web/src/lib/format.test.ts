import { beforeAll, expect, test, vi } from 'vitest'
import { core, loadCore } from '~/core'
import { calendarDay, ownMoney, price, setOwnCurrency, shortOwnMoney } from './format'

// The tests run in a time zone west of UTC, where midnight UTC is on the previous day.
vi.hoisted(() => {
  process.env.TZ = 'America/Los_Angeles'
})

beforeAll(() => loadCore())

test('a date is the same in a time zone west of UTC', () => {
  expect(new Date('2026-01-31T00:00:00Z').getDate()).toBe(30)
  expect(calendarDay('2026-01-31')).toContain('31')
  expect(calendarDay('2026-01-31')).toContain('2026')
  expect(calendarDay('2024-02-29')).toContain('29')
})

test('a price is in pounds with two decimals', () => {
  expect(core.invoiceCurrency()).toBe('GBP')
  expect(price(0.01)).toBe('£0.01')
  expect(price(0.1)).toBe('£0.10')
  expect(price(1234567.89)).toBe('£1,234,567.89')
  expect(price(99_999_999_999.99)).toBe('£99,999,999,999.99')
})

test('lists show no decimals of a price if these are zero', () => {
  setOwnCurrency('GBP')
  expect(ownMoney(18_995)).toBe('£18,995.00')
  expect(shortOwnMoney(18_995)).toBe('£18,995')
  expect(shortOwnMoney(18_995.5)).toBe('£18,995.50')
})

test('a negative amount has a minus sign, and zero has none', () => {
  setOwnCurrency('GBP')
  expect(ownMoney(-94.83)).toBe('−£94.83')
  expect(shortOwnMoney(-4000)).toBe('−£4,000')
  expect(ownMoney(-0)).toBe('£0.00')
})

import { expect, test } from 'vitest'
import { readDay, timestampsOf } from './period'

const now = new Date(2026, 2, 30, 15, 4)
const start = (month: number, date: number) => new Date(2026, month, date).toISOString()

test.each([
  ['', '', ''],
  ['today', start(2, 30), ''],
  ['week', start(2, 24), ''],
  ['month', start(2, 1), ''],
] as const)('the period "%s" begins at the start of a day and has no end', (period, from, to) => {
  expect(timestampsOf({ period, from: '2026-01-01', to: '2026-01-02' }, now)).toEqual({ from, to })
})

test('a custom period includes its first and last day completely, or has no limit', () => {
  const custom = (from: string, to: string) => timestampsOf({ period: 'custom', from, to }, now)
  // Days on which daylight saving time begins or ends in Europe, so they have 23 or 25 hours.
  expect(custom('2026-03-29', '2026-03-29')).toEqual({ from: start(2, 29), to: start(2, 30) })
  expect(custom('2026-10-25', '2026-10-25')).toEqual({ from: start(9, 25), to: start(9, 26) })
  expect(custom('2026-02-28', '')).toEqual({ from: start(1, 28), to: '' })
  expect(custom('', '2026-12-31')).toEqual({ from: '', to: new Date(2027, 0, 1).toISOString() })
})

test('readDay accepts only a valid date', () => {
  expect(readDay('2026-01-31')).toBe('2026-01-31')
  for (const text of ['', '2026-1-31', '2026-02-31', '2026-13-01', '20260131', 'today'])
    expect(readDay(text)).toBe('')
})

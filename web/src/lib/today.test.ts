import { expect, test } from 'vitest'
import { isToday } from './today'

const at = (date: number, hour: number, minute: number) => new Date(2026, 10, date, hour, minute)

test.each([
  [at(25, 23, 59), false],
  [at(26, 0, 0), true],
  [at(26, 23, 59), true],
  [at(27, 0, 0), false],
])('%s is compared with today by its date', (time, expected) => {
  expect(isToday(time.toISOString(), at(26, 12, 0))).toBe(expected)
})

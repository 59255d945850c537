import { expect, test } from 'vitest'
import { daysLeft, remainingPart } from './daysLeft'

const at = (date: number, hour: number) => new Date(2026, 10, date, hour)

test.each([
  [at(30, 1), 4],
  [at(27, 0), 1],
  [at(26, 23), 0],
  [at(26, 1), 0],
  [at(25, 12), 0],
])('the days until %s are counted by date', (time, days) => {
  expect(daysLeft(time.toISOString(), at(26, 18))).toBe(days)
})

test('the remaining part is between 0 and 1', () => {
  const part = (now: Date) => remainingPart(at(10, 0).toISOString(), at(20, 0).toISOString(), now.getTime())
  expect([at(9, 0), at(15, 0), at(21, 0)].map(part)).toEqual([1, 0.5, 0])
  expect(remainingPart('', '')).toBe(0)
})

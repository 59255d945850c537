import { afterEach, expect, test, vi } from 'vitest'
import { isToday, localDay, startOfDay } from './today'

const setTimeZone = (name: string) => vi.stubEnv('TZ', name)
afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  { moment: 'the last minute of yesterday', time: '2026-11-25T22:59:00Z', expected: false },
  { moment: 'the first minute of today', time: '2026-11-25T23:00:00Z', expected: true },
  { moment: 'the last minute of today', time: '2026-11-26T22:59:00Z', expected: true },
  { moment: 'the first minute of tomorrow', time: '2026-11-26T23:00:00Z', expected: false },
])('in Stockholm, whether $moment is today: $expected', ({ time, expected }) => {
  setTimeZone('Europe/Stockholm')
  expect(isToday(time, new Date('2026-11-26T12:00:00Z'))).toBe(expected)
})

test.each([
  { zone: 'Europe/Stockholm', time: '2026-11-25T23:00:00Z', day: '2026-11-26' },
  { zone: 'America/New_York', time: '2026-11-26T04:59:00Z', day: '2026-11-25' },
])('$time is on $day in $zone', ({ zone, time, day }) => {
  setTimeZone(zone)
  expect(localDay(new Date(time))).toBe(day)
})

test.each([
  { change: 'forward', day: '2026-03-29', starts: ['2026-03-28T23:00', '2026-03-29T22:00'] },
  { change: 'back', day: '2026-10-25', starts: ['2026-10-24T22:00', '2026-10-25T23:00'] },
])('the day on which the clocks go $change and the next one begin at midnight', ({ day, starts }) => {
  setTimeZone('Europe/Stockholm')
  const noon = new Date(`${day}T12:00:00Z`)
  expect([0, 1].map(later => startOfDay(noon, later))).toEqual(starts.map(start => `${start}:00.000Z`))
})

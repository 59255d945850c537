import { expect, test } from 'vitest'
import type { ImportSession } from '~/core'
import { size } from '~/lib/size'
import { durationOf } from './figures'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [17_144_000, '17.1 MB'],
  [172_000_000, '172 MB'],
  [99_949, '99.9 kB'],
  [99_950, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [5_000_000_000_000, '5000 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(size(bytes)).toBe(text)
})

test.each([
  [0, '1 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [65_000, '1 min 5 s'],
  [3_600_000, '1 h'],
  [4_830_000, '1 h 20 min'],
])('%d milliseconds are %s', (ms, text) => {
  const createdAt = '2026-11-20T08:00:00Z'
  const endedAt = new Date(Date.parse(createdAt) + ms).toISOString()
  expect(durationOf({ createdAt, endedAt } as ImportSession)).toBe(text)
})

test('a running import has no duration', () => {
  expect(durationOf({ createdAt: '2026-11-20T08:00:00Z' } as ImportSession)).toBeUndefined()
})

import { expect, test } from 'vitest'
import type { ImportSession } from '~/core'
import { outcomeOf } from '~/lib/importStates'
import { size } from '~/lib/size'
import { importSession } from '~/test/imports'
import { checkedRows, durationOf, fileRowsText, progressOf, resultCounts } from './figures'

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

/** Returns every import of up to 44 rows of each kind, with duplicates that were imported or have failed. */
function imports(): ImportSession[] {
  const sizes = [0, 1, 2, 44]
  return sizes.flatMap(successRecords =>
    sizes.flatMap(failedRecords =>
      sizes.flatMap(leftOutRecords =>
        [0, successRecords, failedRecords].map(duplicateRecords => {
          const totalRecords = successRecords + failedRecords
          const counts = { successRecords, failedRecords, leftOutRecords, duplicateRecords }
          return importSession({ ...counts, totalRecords, processedRecords: totalRecords })
        }),
      ),
    ),
  )
}

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)

test('the counts of an import add up to the rows of its file, which all its texts name', () => {
  for (const session of imports()) {
    const { successRecords: ready, failedRecords: failed, leftOutRecords: leftOut } = session
    const whole = sum(resultCounts(session).map(({ value }) => value))
    expect(whole).toBe(checkedRows({ total: ready + failed, leftOut }))
    if (whole === 0) {
      expect([progressOf(session), fileRowsText(session)]).toEqual([undefined, ''])
      continue
    }
    const rows = whole === 1 ? '1 row' : `${whole} rows`
    expect(progressOf(session)).toEqual({ value: whole, max: whole, text: `${whole} of ${rows}` })
    expect(fileRowsText(session)).toMatch(new RegExp(`^${rows}(, including \\d+ duplicates?)?$`))
    const problems = failed > 0 ? `, ${failed} with problems` : ''
    const out = leftOut > 0 ? `, ${leftOut} left out by hand` : ''
    expect(outcomeOf(session)).toBe(`${ready} of ${rows} imported${problems}${out}`)
  }
})

test('the counts of a running import add up to the rows that its progress names', () => {
  const counts = { successRecords: 390, failedRecords: 10, leftOutRecords: 3 }
  const session = importSession({ ...counts, status: 'processing', processedRecords: 400 })
  expect(progressOf(session)).toEqual({ value: 403, max: 1003, text: '403 of 1,003 rows' })
  expect(sum(resultCounts(session).map(({ value }) => value))).toBe(403)
})

test('an import names its duplicates as a part of its rows', () => {
  expect(fileRowsText(importSession({ duplicateRecords: 1 }))).toBe('1,000 rows, including 1 duplicate')
  expect(fileRowsText(importSession({ duplicateRecords: 2 }))).toBe('1,000 rows, including 2 duplicates')
})

test('an import that has not processed all rows names its duplicates as a part of those it has processed', () => {
  const session = importSession({ status: 'cancelled', processedRecords: 400, leftOutRecords: 3 })
  expect(fileRowsText(session)).toBe('1,003 rows')
  const text = fileRowsText({ ...session, duplicateRecords: 2 })
  expect(text).toBe('403 of 1,003 rows, including 2 duplicates')
})

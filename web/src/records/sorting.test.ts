import { expect, test } from 'vitest'
import { isSortable, readSorting, writeSorting } from './sorting'

const columns = [
  { id: 'first_name', sort: ['first_name', 'last_name'] },
  { id: 'email' },
  { id: 'resources', sort: [] },
  { id: 'in_stock_on', isReversed: true },
]

test.each([
  ['', []],
  ['email', [{ id: 'email', desc: false }]],
  [
    '-email,first_name,last_name',
    [
      { id: 'email', desc: true },
      { id: 'first_name', desc: false },
    ],
  ],
  ['-first_name,-last_name', [{ id: 'first_name', desc: true }]],
  // The number of days falls as the date rises.
  [
    '-in_stock_on,email',
    [
      { id: 'in_stock_on', desc: false },
      { id: 'email', desc: false },
    ],
  ],
  ['in_stock_on', [{ id: 'in_stock_on', desc: true }]],
  [
    'unknown,-version',
    [
      { id: 'unknown', desc: false },
      { id: 'version', desc: true },
    ],
  ],
])('“%s” is parsed into sorted columns, which are written as the same text', (sort, sorting) => {
  expect(readSorting(sort, columns)).toEqual(sorting)
  expect(writeSorting(sorting, columns)).toBe(sort)
})

test('two fields count as one sorted column only if both have the same direction', () => {
  expect(readSorting('first_name,-last_name', columns)).toEqual([
    { id: 'first_name', desc: false },
    { id: 'last_name', desc: true },
  ])
})

test('a column without fields is not sortable', () => {
  expect(columns.map(isSortable)).toEqual([true, true, false, true])
})

import { expect, test } from 'vitest'
import type { HistoryEntry } from '~/core'
import type { ListField } from '~/core/lists'
import { day } from '~/lib/format'
import { change, entry } from '~/test/history'
import { firstValues, groupByDay } from './entries'

const at = (number: number, ...[month, date]: [month: number, date: number]) =>
  entry(number, { at: new Date(2026, month, date, 23, 59).toISOString() })

test('entries are grouped by day, and today and yesterday are called so', () => {
  const entries = [at(4, 2, 1), at(3, 2, 1), at(2, 1, 28), at(1, 1, 27)]
  const days = groupByDay(entries, new Date(2026, 2, 1, 0, 1))
  expect(days.map(({ name }) => name)).toEqual(['Today', 'Yesterday', day(entries[3]?.at ?? '')])
  expect(days.map(({ entries }) => entries.map(({ history_id }) => history_id))).toEqual([
    ['h-4', 'h-3'],
    ['h-2'],
    ['h-1'],
  ])
})

const field = (name: string, kind: ListField['kind'], isNamed = true): ListField => ({
  list: 'contacts',
  name,
  path: [name],
  kind,
  label: isNamed ? { code: '', text: name } : undefined,
  isBulkEditable: false,
  isRequired: false,
  isLong: false,
  isRecorded: !['id', 'time'].includes(kind),
  isFigure: false,
  choices: [],
  bulkChoices: [],
  operators: [],
})

const fields = [
  field('_id', 'id', false),
  field('name', 'text'),
  field('email', 'text'),
  field('phone', 'text'),
  field('price', 'money'),
  field('createdAt', 'time'),
  field('version', 'number', false),
]

const first = (record: object, since: HistoryEntry[]) =>
  firstValues(record, since, fields).map(({ field, before, after }) => [field, before, after])

test('the values of a new record are computed from its later changes', () => {
  const record = { _id: '1', name: 'Ada C', email: '', phone: '070', price: 0, createdAt: 'now', version: 3 }
  const since = [
    entry(3, { changes: [change('name', 'Ada B', 'Ada C'), change('email', 'a@b.example')] }),
    entry(2, { changes: [change('name', 'Ada A', 'Ada B'), change('phone', undefined, '070')] }),
  ]
  expect(first(record, since)).toEqual([
    ['name', undefined, 'Ada A'],
    ['email', undefined, 'a@b.example'],
    ['price', undefined, 0],
  ])
  expect(first({ name: 'Ada' }, [])).toEqual([['name', undefined, 'Ada']])
})

test('the values of a new record contain no social security number', () => {
  const since = [entry(2, { changes: [change('socialSecurityNumber')] })]
  expect(first({ name: 'Ada', socialSecurityNumber: '19850312-4471' }, since)).toEqual([
    ['name', undefined, 'Ada'],
  ])
})

test('the first value of a field is also found within an object of the record', () => {
  const months = { ...field('warranty_months', 'number'), path: ['warranty', 'months'] }
  const found = (record: object) => firstValues(record, [], [months]).map(({ after }) => after)
  expect(found({ warranty: { kind: 'Dealer', months: 12 } })).toEqual([12])
  expect(found({ warranty: { kind: 'None' } })).toEqual([])
})

import type { ListField } from '~/core/lists'
import type { Fields } from '../useFields'
import type { MergeRequest } from './api'

/** The properties of a record that a merge needs. Contacts and customers have them; the optional ones only customers. */
export type MergeRecord = {
  name: string
  version: number
  createdAt: string
  updatedAt: string
  customerNumber?: string
  hasFigures?: boolean
}

export type MergeField = ListField & { label: NonNullable<ListField['label']> }

type Value = string | number | boolean

/**
 * The user's choices in a merge: the id of the record to keep, and by field the id of the record whose value was
 * chosen.
 */
export type Choices = { keep: string; from: Record<string, string> }

const oldest = <R extends MergeRecord>(records: R[]) =>
  records.reduce((one, other) => (other.createdAt < one.createdAt ? other : one))

/** Returns the choices when the dialog opens: the oldest record is kept. */
export const firstChoices = <R extends MergeRecord>(records: R[], idOf: (record: R) => string): Choices => ({
  keep: idOf(oldest(records)),
  from: {},
})

/** Returns the choices that are still valid once the records were loaded again: those of unchanged values. */
export function validChoices<R extends MergeRecord>(
  { keep, from }: Choices,
  before: R[],
  present: R[],
  idOf: (record: R) => string,
): Choices {
  const find = (records: R[], id: string) => records.find(each => idOf(each) === id)
  const isUnchanged = ([field, id]: [string, string]) => {
    const [old, now] = [find(before, id), find(present, id)]
    return old !== undefined && now !== undefined && cellOf(old, field) === cellOf(now, field)
  }
  return {
    ...(find(present, keep) ? { keep } : firstChoices(present, idOf)),
    from: Object.fromEntries(Object.entries(from).filter(isUnchanged)),
  }
}

/** Returns the value of a record's field; an empty text if it has none. */
export const cellOf = (record: object, field: string) =>
  ((record as Record<string, unknown>)[field] ?? '') as Value

/**
 * Returns the fields that a merge can set: those in which the records differ, and those with the same, non-empty value.
 * `figures` are those that it can't set, because they follow from the records' agreements.
 */
export function compareFields(fields: Fields, records: MergeRecord[]) {
  const hasFigures = records.some(record => record.hasFigures)
  const known = fields.offered.filter(field => field.isRecorded)
  const figures = known.filter(field => hasFigures && field.isFigure)
  const mergeable = known.filter(field => !figures.includes(field))
  const differs = (field: MergeField) => new Set(records.map(each => cellOf(each, field.name))).size > 1
  return {
    figures,
    differing: mergeable.filter(differs),
    same: mergeable.filter(field => !differs(field) && records[0] && cellOf(records[0], field.name) !== ''),
  }
}

/**
 * Returns the id of the record whose value a field gets: the chosen one, else the kept one, or the first one with a
 * value.
 */
export function sourceOf<R extends object>(
  field: string,
  { keep, from }: Choices,
  records: R[],
  idOf: (record: R) => string,
): string {
  if (from[field]) return from[field]
  const filled = records.filter(record => cellOf(record, field) !== '')
  return filled.some(record => idOf(record) === keep) || !filled[0] ? keep : idOf(filled[0])
}

/** Returns the different values that the records have in a field, each with the id of the first record that has it. */
export function valuesOf<R extends object>(field: string, records: R[], idOf: (record: R) => string) {
  const values = new Map<Value, string>()
  for (const record of records) {
    const value = cellOf(record, field)
    if (!values.has(value)) values.set(value, idOf(record))
  }
  return [...values].map(([value, id]) => ({ value, id }))
}

/** Returns the body of the merge request for the user's choices. */
export function inputOf<R extends MergeRecord>(
  choices: Choices,
  fields: MergeField[],
  records: R[],
  idOf: (record: R) => string,
): MergeRequest {
  const valueIn = (id: string, name: string) => {
    const record = records.find(each => idOf(each) === id)
    return record ? cellOf(record, name) : ''
  }
  const taken = fields.flatMap(({ name }) => {
    const value = valueIn(sourceOf(name, choices, records, idOf), name)
    return value === valueIn(choices.keep, name) ? [] : [[name, value === '' ? null : value] as const]
  })
  return {
    keep: choices.keep,
    ids: records.map(idOf).filter(id => id !== choices.keep),
    fields: Object.fromEntries(taken),
    versions: Object.fromEntries(records.map(record => [idOf(record), record.version])),
  }
}

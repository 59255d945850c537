import { useCallback, useEffect, useMemo, useState } from 'react'
import { core } from '~/core'
import { type ListField, type ListName, type ListsCore, lists, loadLists } from '~/core/lists'
import { useSession } from '~/lib/session'

/** The fields of a list, and the wasm rules that check filters on them. */
export type Fields = {
  list: ListName
  rules: ListsCore
  all: ListField[]
  /** The fields that have a label, so users can choose them in filters, columns and bulk edits. */
  offered: (ListField & { label: NonNullable<ListField['label']> })[]
  find: (name: string) => ListField | undefined
}

/** Returns the value of the field with this path in a record; undefined if the record has none. */
export const valueAt = (record: object, path: readonly string[]) =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record)

const isOffered = (field: ListField): field is Fields['offered'][number] => field.label !== undefined

/**
 * Returns the functions of the wasm package `lists`, undefined until they have loaded, and `retry`, which loads them
 * again after a failure.
 */
export function useLists() {
  const [rules, setRules] = useState<ListsCore | undefined>(lists)
  const [isFailed, setFailed] = useState(false)
  const load = useCallback(() => {
    setFailed(false)
    loadLists().then(setRules, () => setFailed(true))
  }, [])
  useEffect(() => {
    if (!lists) load()
  }, [load])
  return { rules, isFailed, retry: load }
}

/**
 * Returns the fields of a list that the user may see, undefined until they have loaded, and `retry`, which loads them
 * again after a failure.
 */
export function useFields(list: ListName) {
  const { rules, isFailed, retry } = useLists()
  return { fields: useFieldsOf(rules, list), isFailed, retry }
}

/** Returns the fields of a list that the user may see; undefined without `rules`. */
export function useFieldsOf(rules: ListsCore | undefined, list: ListName) {
  const { resources } = useSession()
  return useMemo(
    () =>
      rules &&
      fieldsOf(rules, list, ({ needs }) => needs === undefined || core.may(resources, needs, 'read')),
    [rules, list, resources],
  )
}

/** Returns the fields of a list for which `isVisible` is true. */
export function fieldsOf(
  rules: ListsCore,
  list: ListName,
  isVisible: (field: ListField) => boolean = () => true,
): Fields {
  const all = rules
    .listFields(list)
    .map(field => ({ ...field, list }))
    .filter(isVisible)
  const offered = all.filter(isOffered)
  return { list, rules, all, offered, find: name => all.find(field => field.name === name) }
}

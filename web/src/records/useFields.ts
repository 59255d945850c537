import { useCallback, useEffect, useState } from 'react'
import { type ListField, type ListName, type ListsCore, loadLists } from '~/core/lists'

/** The fields of a list, and what checks a filter on them. */
export type Fields = {
  list: ListName
  rules: ListsCore
  all: ListField[]
  /** The fields that screens offer. */
  offered: (ListField & { label: NonNullable<ListField['label']> })[]
  find: (name: string) => ListField | undefined
}

const isOffered = (field: ListField): field is Fields['offered'][number] => field.label !== undefined

/** Returns the fields of a list, undefined until they have loaded, and a function that tries again after a failure. */
export function useFields(list: ListName) {
  const [fields, setFields] = useState<Fields>()
  const [isFailed, setFailed] = useState(false)
  const load = useCallback(() => {
    setFailed(false)
    loadLists().then(
      rules => {
        const all = rules.listFields(list)
        const offered = all.filter(isOffered)
        setFields({ list, rules, all, offered, find: name => all.find(field => field.name === name) })
      },
      () => setFailed(true),
    )
  }, [list])
  useEffect(load, [load])
  return { fields, isFailed, retry: load }
}

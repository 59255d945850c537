import { useEffect, useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  set,
  type UseFormProps,
  useForm,
} from 'react-hook-form'
import { core } from '~/core'
import { changedValues, drafts, reportRestored } from './drafts'

type Props<T extends FieldValues> = Omit<UseFormProps<T>, 'defaultValues'> & {
  /** The draft's storage key, which identifies the form and its record. */
  draft: string
  /** The record's version when the form was opened; undefined in a create form. */
  version?: number
  /** False while the form still loads its record. */
  isReady?: boolean
  defaultValues: DefaultValues<T>
}

/**
 * Returns a form that stores unsaved input as a draft (see `drafts`) until it is saved or discarded. A restored draft
 * keeps the version it was based on, so that saving detects changes made by other users meanwhile.
 */
export function useDraftForm<T extends FieldValues>({
  draft: key,
  version,
  isReady = true,
  ...props
}: Props<T>) {
  const form = useForm<T>(props)
  const [draft] = useState(() => drafts.read(key))
  const baseVersion = draft ? draft.version : version

  useEffect(() => {
    if (!isReady || !draft) return
    const typed = Object.entries(draft.typed) as [FieldPath<T>, Entry<T>][]
    const initial = structuredClone(form.getValues())
    for (const [name, { base }] of typed) if (base !== undefined) set(initial, name, base)
    form.reset(initial, { keepFieldsRef: true })
    for (const [name, { value }] of typed)
      form.setValue(name, value, { shouldDirty: true, shouldTouch: true })
    reportRestored()
  }, [form, draft, isReady])
  useEffect(() => {
    if (!isReady) return
    return form.subscribe({
      formState: { values: true },
      callback({ values }) {
        const typed = changedValues(values, form.formState.defaultValues)
        if (Object.keys(typed).length > 0) drafts.save(key, { version: baseVersion, typed })
        else drafts.forget(key)
      },
    })
  }, [form, key, isReady, baseVersion])

  // A form unmounts when it was saved or discarded, so its draft is deleted. If the session ended instead, the draft
  // stays.
  useEffect(
    () => () => {
      if (core.hasSession()) drafts.forget(key)
    },
    [key],
  )
  return { form, version: baseVersion }
}

type Entry<T extends FieldValues> = {
  value: FieldPathValue<T, FieldPath<T>>
  base: FieldPathValue<T, FieldPath<T>> | undefined
}

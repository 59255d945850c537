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
import { drafts, tellRestored, typedOver } from './drafts'

type Props<T extends FieldValues> = Omit<UseFormProps<T>, 'defaultValues'> & {
  /** Tells this form, and the record in it, from all others. */
  draft: string
  /** The version of the record that the form was opened with; absent in a form that creates one. */
  version?: number
  /** Does the form hold its record already? One that has to fetch it says when. */
  isReady?: boolean
  defaultValues: DefaultValues<T>
}

/**
 * A form that keeps what is typed into it (see `drafts`), until it is saved or thrown away. Opened again after a reload it
 * stands as it stood, over the version that it stood over; so whoever changed the record meanwhile isn't written over.
 */
export function useKeptForm<T extends FieldValues>({
  draft: key,
  version,
  isReady = true,
  ...props
}: Props<T>) {
  const form = useForm<T>(props)
  const [draft] = useState(() => drafts.read(key))
  const based = draft ? draft.version : version

  useEffect(() => {
    if (!isReady || !draft) return
    const typed = Object.entries(draft.typed) as [FieldPath<T>, Entry<T>][]
    const begun = structuredClone(form.getValues())
    for (const [name, { base }] of typed) if (base !== undefined) set(begun, name, base)
    form.reset(begun, { keepFieldsRef: true })
    for (const [name, { value }] of typed)
      form.setValue(name, value, { shouldDirty: true, shouldTouch: true })
    tellRestored()
  }, [form, draft, isReady])
  useEffect(() => {
    if (!isReady) return
    return form.subscribe({
      formState: { values: true },
      callback({ values }) {
        const typed = typedOver(values, form.formState.defaultValues)
        if (Object.keys(typed).length > 0) drafts.keep(key, { version: based, typed })
        else drafts.forget(key)
      },
    })
  }, [form, key, isReady, based])

  // A form that goes away was saved, or thrown away on purpose; unless whoever filled it in was thrown out.
  useEffect(
    () => () => {
      if (core.hasSession()) drafts.forget(key)
    },
    [key],
  )
  return { form, version: based }
}

type Entry<T extends FieldValues> = {
  value: FieldPathValue<T, FieldPath<T>>
  base: FieldPathValue<T, FieldPath<T>> | undefined
}

import { useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  set,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import { core } from '~/core'
import { changedValues, type Draft, drafts } from './drafts'
import { resetTo } from './rebase'

type Props<T extends FieldValues> = Omit<UseFormProps<T>, 'defaultValues'> & {
  /** The draft's storage key, which identifies the form and its record. */
  draft: string
  /** The record's version when the form was opened; undefined in a create form. */
  version?: number
  /** False while the form still loads its record. */
  isReady?: boolean
  defaultValues: DefaultValues<T>
  /** Called when a restored draft is discarded. */
  onDiscard?: () => void
}

/**
 * Returns a form that stores unsaved input as a draft (see `drafts`) until it is saved or discarded. A restored draft
 * keeps the version it was based on, so that saving detects changes made by other users meanwhile. While the restored
 * input can be discarded, `discardDraft` does so, and keeps what was typed in other fields; `DraftNotice` offers it.
 * When an open form gets the values of a newer `version`, call `acceptDraft`: its input is then based on that version.
 */
export function useDraftForm<T extends FieldValues>({
  draft: key,
  version,
  isReady = true,
  onDiscard,
  ...props
}: Props<T>) {
  const form = useForm<T>(props)
  const [draft, setDraft] = useState(() => drafts.open(key))
  // The values of the form before the draft was restored.
  const [opened, setOpened] = useState<T>()
  const { isDirty } = form.formState
  const baseVersion = draft ? draft.version : version

  useEffect(() => {
    if (!isReady || !draft) return
    const entries = Object.entries(draft.typed) as [FieldPath<T>, Entry<T>][]
    const initial = structuredClone(form.getValues())
    const before = structuredClone(initial)
    setOpened(present => present ?? before)
    for (const [name, { base }] of entries) if (base !== undefined) set(initial, name, base)
    restore(form, initial, entries)
  }, [form, draft, isReady])
  useEffect(() => {
    if (!isReady) return
    return form.subscribe({
      formState: { values: true },
      // Not `form.formState.defaultValues`, which are still the old ones while the form gets new ones.
      callback({ values, defaultValues }) {
        const changes = changedValues(values, defaultValues)
        if (Object.keys(changes).length > 0) drafts.save(key, { version: baseVersion, typed: changes })
        else drafts.forgetInput(key)
      },
    })
  }, [form, key, isReady, baseVersion])

  const wasDirty = useRef(false)
  useEffect(() => {
    if (wasDirty.current && !isDirty) {
      // The input was saved, discarded or undone. The form keeps the draft's version, because it keeps the
      // values that the draft was based on.
      drafts.forgetInput(key)
      setOpened(undefined)
    }
    wasDirty.current = isDirty
  }, [key, isDirty])

  const mountedKey = useRef<string>(undefined)
  // A form unmounts when it was saved or discarded, so its draft is deleted. If the session ended instead, the draft
  // stays. In development, StrictMode unmounts each form once, and mounts it again before microtasks run.
  useEffect(() => {
    mountedKey.current = key
    return () => {
      mountedKey.current = undefined
      queueMicrotask(() => {
        if (mountedKey.current !== key && core.hasSession()) drafts.forget(key)
      })
    }
  }, [key])
  const discard = (restored: Draft, before: T) => {
    // Resets the fields of the draft, also those that the user has typed over since. The values of other
    // fields stay: the form may have loaded them since the draft was restored, or the user has typed them.
    const initial = structuredClone(form.formState.defaultValues) as T
    // A copy, because `reset` writes into lists.
    const changes = changedValues(structuredClone(form.getValues()), form.formState.defaultValues)
    // What is saved next isn't what the request may have created.
    drafts.forgetRequest(key)
    for (const name of Object.keys(restored.typed)) set(initial, name, get(before, name))
    const others = Object.entries(changes).filter(([name]) => !(name in restored.typed))
    restore(form, initial, others as [FieldPath<T>, Entry<T>][])
    setDraft(undefined)
    setOpened(undefined)
    onDiscard?.()
  }
  return {
    form,
    version: baseVersion,
    discardDraft: draft && opened ? () => discard(draft, opened) : undefined,
    acceptDraft: () => setDraft(undefined),
  }
}

/** Gives a form default values, and what was typed in some of its fields. */
function restore<T extends FieldValues>(
  form: UseFormReturn<T>,
  defaults: T,
  entries: [FieldPath<T>, Entry<T>][],
) {
  const values = structuredClone(defaults)
  for (const [name, { value }] of entries) set(values, name, value)
  resetTo(form, defaults as DefaultValues<T>, values as DefaultValues<T>)
  for (const [name, { value }] of entries) {
    form.setValue(name, value, { shouldDirty: true, shouldTouch: true })
  }
}

type Entry<T extends FieldValues> = {
  value: FieldPathValue<T, FieldPath<T>>
  base: FieldPathValue<T, FieldPath<T>> | undefined
}

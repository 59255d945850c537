import { useEffect, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  set,
  type UseFormProps,
  useForm,
} from 'react-hook-form'
import { core } from '~/core'
import { changedValues, type Draft, drafts } from './drafts'

type Props<T extends FieldValues> = Omit<UseFormProps<T>, 'defaultValues'> & {
  /** The draft's storage key, which identifies the form and its record. */
  draft: string
  /** The record's version when the form was opened; undefined in a create form. */
  version?: number
  /** False while the form still loads its record. */
  isReady?: boolean
  defaultValues: DefaultValues<T>
  /** The values of an empty form, if this one begins with others. Its draft can be restored in an empty form, too. */
  emptyValues?: T
  /** Called when a restored draft is discarded. */
  onDiscard?: () => void
}

/**
 * Returns a form that stores unsaved input as a draft (see `drafts`) until it is saved or discarded. A restored draft
 * keeps the version it was based on, so that saving detects changes made by other users meanwhile. While the restored
 * input can be discarded, `discardDraft` does so, and keeps what was typed in other fields; `DraftNotice` offers it.
 * When an open form gets the values of a newer `version`, call `acceptDraft` before: its input is then based on that
 * version.
 */
export function useDraftForm<T extends FieldValues>({
  draft: key,
  version,
  isReady = true,
  emptyValues,
  onDiscard,
  ...props
}: Props<T>) {
  const form = useForm<T>(props)
  const [draft, setDraft] = useState(() => drafts.open(key))
  // The form's values before the draft was restored, until the restored input is saved or undone.
  const [valuesBefore, setValuesBefore] = useState<T>()
  const [empty] = useState(emptyValues)
  const baseVersion = draft ? draft.version : version
  // A ref, because the form stores its input as soon as it gets other values, before it renders with their version.
  const storedVersion = useRef(baseVersion)
  useEffect(() => {
    storedVersion.current = baseVersion
  }, [baseVersion])

  useEffect(() => {
    if (!isReady || !draft) return
    const before = structuredClone(form.getValues())
    // StrictMode runs this effect twice, the second time with the restored values.
    setValuesBefore(first => first ?? before)
    const fields = Object.entries(draft.typed)
    // With the values that the draft was based on, a conflict shows what other users have changed since.
    const bases = fields.map(([name, { base }]) => [name, base] as const)
    form.resetDefaultValues(withValues(before, bases))
    for (const [name, { value }] of fields) {
      form.setValue(name as FieldPath<T>, value as FieldPathValue<T, FieldPath<T>>, {
        shouldDirty: true,
        shouldTouch: true,
      })
    }
  }, [form, draft, isReady])

  useEffect(() => {
    if (!isReady) return
    return form.subscribe({
      formState: { values: true },
      // Not `form.formState.defaultValues`, which are still the old ones while the form gets new ones.
      callback({ values, defaultValues }) {
        const typed = changedValues(values, defaultValues)
        if (Object.keys(typed).length > 0) {
          const begun = empty && changedValues(values, empty)
          drafts.save(key, { version: storedVersion.current, typed: { ...begun, ...typed } })
        } else {
          // The input was saved, discarded or undone. The form keeps the draft's version, because it keeps the
          // values that the draft was based on.
          drafts.forgetInput(key)
          setValuesBefore(undefined)
        }
      },
    })
  }, [form, key, isReady, empty])

  useForgetWhenClosed(key)

  const discard = (restored: Draft, before: T) => {
    storedVersion.current = version
    // Also resets fields of the draft that the user has typed over since. Other fields keep their values: the form
    // may have loaded them since the draft was restored, or the user has typed them.
    const fields = Object.keys(restored.typed).map(name => [name, get(before, name)] as const)
    // With its request: what is saved next isn't what that may have created.
    drafts.forget(key)
    form.resetDefaultValues(withValues(form.formState.defaultValues as T, fields))
    form.reset(withValues(form.getValues(), fields), { keepDefaultValues: true, keepFieldsRef: true })
    setDraft(undefined)
    onDiscard?.()
  }
  return {
    form,
    version: baseVersion,
    discardDraft: draft && valuesBefore ? () => discard(draft, valuesBefore) : undefined,
    acceptDraft(newer: number) {
      storedVersion.current = newer
      setDraft(undefined)
    },
  }
}

/** Returns a copy of a form's values in which some fields have other values. */
function withValues<T extends FieldValues>(
  values: T,
  fields: (readonly [name: string, value: unknown])[],
): T {
  const copy = structuredClone(values)
  for (const [name, value] of fields) set(copy, name, value)
  return copy
}

/**
 * Deletes a draft when its form unmounts, which means that it was saved or discarded. If the session ended instead, the
 * draft stays.
 */
function useForgetWhenClosed(key: string) {
  const mountedKey = useRef<string>(undefined)
  useEffect(() => {
    mountedKey.current = key
    return () => {
      mountedKey.current = undefined
      // In development, StrictMode unmounts each form once, and mounts it again before microtasks run.
      queueMicrotask(() => {
        if (mountedKey.current !== key && core.hasSession()) drafts.forget(key)
      })
    }
  }, [key])
}

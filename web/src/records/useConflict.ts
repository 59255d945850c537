import { useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import type { LastChange } from '~/core'
import { problemOf } from '~/core/problem'
import { isSame, rebase } from '~/lib/rebase'

/** A field's label and, unless its value is a text, how to format it. */
type FieldLabel<V> = string | { label: string; show: (value: V) => string }

/** The labels of a form's fields. */
export type FieldLabels<T> = { readonly [N in keyof T]?: FieldLabel<T[N]> }

/** Returns the label of a field. */
export function labelOf<T>(labels: FieldLabels<T>, name: keyof T): string {
  const field = labels[name]
  return typeof field === 'object' ? field.label : (field ?? '')
}

type Settings<T extends FieldValues, R> = {
  form: UseFormReturn<T>
  /** The record's version when the form was opened; undefined in a create form. */
  version: number | undefined
  /** Converts a record to form values. */
  inputOf: (present: R) => Partial<T>
  /** The form fields that are part of the record. Others keep what was typed. */
  fields: FieldLabels<T>
  /** Called with the present record. */
  onConflict?: (present: R) => void
}

/** A field that another user has changed. */
type Row = { name: string; was: unknown; theirs: unknown; mine: unknown }

/** A changed field as displayed. */
export type Difference = {
  name: string
  label: string
  was: string
  theirs: string
  /** The value typed here; undefined if the field was untouched and has taken the other user's value. */
  mine: string | undefined
  /** Which of the two values the field has now. */
  holds: 'mine' | 'theirs'
  choose: (which: 'mine' | 'theirs') => void
}

/**
 * Handles edit conflicts of a form: another user changed the record since it was opened. Untouched fields take the other
 * user's value, typed ones stay, and where both changed a field the user can choose; `Conflict` shows the choices.
 *
 * The form's default values must be the record as it was opened: `defaultValues`, or `reset` once it has loaded.
 */
export function useConflict<T extends FieldValues, R>({
  form,
  version,
  inputOf,
  fields,
  onConflict,
}: Settings<T, R>) {
  const [conflict, setConflict] = useState<{
    round: number
    version: number
    rows: Row[]
    lastChange: LastChange | undefined
  }>()
  const values: Record<string, unknown> = useWatch({ control: form.control })
  const set = (name: string, value: unknown, settings: Parameters<typeof form.setValue>[2]) =>
    form.setValue(name as FieldPath<T>, value as FieldPathValue<T, FieldPath<T>>, settings)

  /**
   * If saving failed because another user changed the record, merges both versions into the form and returns true.
   */
  const handle = (thrown: unknown): boolean => {
    const present = problemOf(thrown)?.present as
      | (R & { version: number; last_change?: LastChange })
      | undefined
    if (!present) return false
    onConflict?.(present)
    const based: Record<string, unknown> = form.formState.defaultValues ?? {}
    const input: Record<string, unknown> = inputOf(present)
    const rows: Row[] = []
    const next: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(form.getValues())) {
      const base = based[name]
      const theirs = name in fields ? input[name] : base
      const isTyped = !isSame(value, base)
      next[name] = theirs
      const before = conflict?.rows.find(row => row.name === name)
      const was = before ? before.was : base
      // A typed value that the user gave up for the other one can still be chosen.
      const mine = isTyped ? value : before?.mine
      const isChanged = before !== undefined || !isSame(theirs, base)
      if (isChanged && !isSame(theirs, mine ?? was)) rows.push({ name, was, theirs, mine })
    }
    rebase(form, next as DefaultValues<T>)
    setConflict({
      round: (conflict?.round ?? 0) + 1,
      version: present.version,
      rows,
      lastChange: present.last_change,
    })
    return true
  }

  const differenceOf = ({ name, was, theirs, ...before }: Row): Difference => {
    const field = fields[name] as FieldLabel<unknown>
    const { label, show } = typeof field === 'string' ? { label: field, show: String } : field
    const holds = isSame(values[name], theirs) ? 'theirs' : 'mine'
    const mine = holds === 'mine' ? values[name] : before.mine
    return {
      name,
      label,
      was: show(was),
      theirs: show(theirs),
      mine: mine === undefined ? undefined : show(mine),
      holds,
      choose(which) {
        setConflict(
          now => now && { ...now, rows: now.rows.map(row => (row.name === name ? { ...row, mine } : row)) },
        )
        set(name, which === 'mine' ? mine : theirs, {
          shouldDirty: true,
          shouldTouch: true,
          shouldValidate: true,
        })
      },
    }
  }

  return {
    /** The version to save: that of the latest record seen. */
    version: conflict?.version ?? version,
    handle,
    /** The number of conflicts so far. */
    round: conflict?.round ?? 0,
    /** Who changed the record last, if that is known. */
    lastChange: conflict?.lastChange,
    differences: conflict?.rows.map(differenceOf) ?? [],
  }
}

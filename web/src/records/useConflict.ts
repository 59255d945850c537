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

/** A field's label and, unless the field's value is a text, a function that formats the value. */
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
  /** The labels of the form fields that are part of the record. Other fields keep the user's input. */
  labels: FieldLabels<T>
  /** Called with the current record of the server when there is a conflict. */
  onConflict?: (present: R) => void
  /** Returns the fields of the current record that the user can't change (any more). They lose the user's input. */
  fixedFields?: (present: R) => readonly (keyof T & string)[]
}

/**
 * A field that another user has changed, or in which this user's input can't be saved any more (`isDropped`): its value
 * when the form was opened, the other user's value, and this user's.
 */
type ChangedField = { name: string; previous: unknown; theirs: unknown; mine: unknown; isDropped: boolean }

/** A `ChangedField` with its values as texts to display. */
export type Difference = {
  name: string
  label: string
  previous: string
  theirs: string
  /**
   * This user's input; undefined if this user hasn't changed the field, which then has the other user's value.
   */
  mine: string | undefined
  /** This user's input can't be saved any more, and so can't be chosen. */
  isDropped: boolean
  /** Which of the two values the field has now. */
  choice: 'mine' | 'theirs'
  choose: (which: 'mine' | 'theirs') => void
}

/**
 * Handles edit conflicts of a form: another user changed the record since the form was opened. Fields that this user
 * hasn't changed take the other user's value, and the others keep this user's input. Where both have changed a field,
 * the user can choose; `Conflict` shows the choices.
 *
 * The form's default values must be the record as it was opened: `defaultValues`, or `reset` once it has loaded.
 */
export function useConflict<T extends FieldValues, R>({
  form,
  version,
  inputOf,
  labels,
  onConflict,
  fixedFields,
}: Settings<T, R>) {
  const [conflict, setConflict] = useState<{
    round: number
    version: number
    fields: ChangedField[]
    lastChange: LastChange | undefined
    hasErased: boolean
  }>()
  const values: Record<string, unknown> = useWatch({ control: form.control })
  const set = (name: string, value: unknown, settings: Parameters<typeof form.setValue>[2]) =>
    form.setValue(name as FieldPath<T>, value as FieldPathValue<T, FieldPath<T>>, settings)

  /**
   * If saving failed because another user changed the record, merges both versions into the form and returns true.
   */
  const handle = (thrown: unknown): boolean => {
    const present = problemOf(thrown)?.present as
      | (R & { version: number; last_change?: LastChange; erased?: string[] })
      | undefined
    if (!present) return false
    onConflict?.(present)
    const base: Record<string, unknown> = form.formState.defaultValues ?? {}
    const theirValues: Record<string, unknown> = inputOf(present)
    // Personal data that was erased since isn't offered as the user's value, so that it isn't stored again.
    const erased = (present.erased ?? []).filter(name => !isSame(theirValues[name], base[name]))
    const fixed: readonly string[] = [...(fixedFields?.(present) ?? []), ...erased]
    // A copy, because the form writes into its lists, and `fields` keeps what the user has typed until now.
    const typed = structuredClone(form.getValues())
    for (const name of fixed) set(name, base[name], {})
    const fields: ChangedField[] = []
    const newBase: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(typed)) {
      const isErased = erased.includes(name)
      const theirs = name in labels || isErased ? theirValues[name] : base[name]
      newBase[name] = theirs
      const isFixed = fixed.includes(name) && name in labels
      const earlier = conflict?.fields.find(field => field.name === name)
      const previous = earlier ? earlier.previous : base[name]
      // If the user chose the other value in an earlier conflict, their own input can still be chosen.
      const earlierInput = !isFixed || earlier?.isDropped ? earlier?.mine : undefined
      const mine = isSame(value, base[name]) ? earlierInput : value
      const isDropped = isFixed && mine !== undefined
      const isChanged = earlier !== undefined || !isSame(theirs, base[name]) || isDropped
      if (isChanged && !isErased && !isSame(theirs, mine ?? previous))
        fields.push({ name, previous, theirs, mine, isDropped })
    }
    rebase(form, newBase as DefaultValues<T>)
    setConflict({
      round: (conflict?.round ?? 0) + 1,
      version: present.version,
      fields,
      lastChange: present.last_change,
      hasErased: conflict?.hasErased || erased.length > 0,
    })
    return true
  }

  const differenceOf = ({ name, previous, theirs, isDropped, ...stored }: ChangedField): Difference => {
    const field = labels[name] as FieldLabel<unknown>
    const { label, show } = typeof field === 'string' ? { label: field, show: String } : field
    const choice = isSame(values[name], theirs) ? 'theirs' : 'mine'
    const mine = choice === 'mine' ? values[name] : stored.mine
    return {
      name,
      label,
      previous: show(previous),
      theirs: show(theirs),
      mine: mine === undefined ? undefined : show(mine),
      isDropped,
      choice,
      choose(which) {
        setConflict(
          now =>
            now && {
              ...now,
              fields: now.fields.map(field => (field.name === name ? { ...field, mine } : field)),
            },
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
    /** The record's version to send when saving: the version of the conflict if there was one. */
    version: conflict?.version ?? version,
    handle,
    /** Forgets the conflicts, once the form has been saved or its input discarded. */
    end: () => setConflict(undefined),
    /** The number of conflicts since the form was opened, or since `end`. */
    round: conflict?.round ?? 0,
    /** Who changed the record last, if that is known. */
    lastChange: conflict?.lastChange,
    /** Whether the form equals the other user's version. */
    isIdentical: !form.formState.isDirty,
    /** Whether personal data was erased since the form was opened. */
    hasErased: conflict?.hasErased ?? false,
    differences: conflict?.fields.map(differenceOf) ?? [],
  }
}

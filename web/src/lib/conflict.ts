import { useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import { problemOf } from './problem'
import { isSame, rebase } from './rebase'

/** What a field is called; and how its value reads, where it isn't a text. */
type Told<V> = string | { label: string; show: (value: V) => string }

type Settings<T extends FieldValues, R> = {
  form: UseFormReturn<T>
  /** The version of the record that the form was opened with; absent in a form that creates one. */
  version: number | undefined
  /** The record as the form holds it. */
  inputOf: (present: R) => Partial<T>
  /** The fields that a record brings along. What isn't among them stays as it is typed. */
  fields: { readonly [N in keyof T]?: Told<T[N]> }
}

/** A field that somebody else has changed, by its values. */
type Row = { name: string; was: unknown; theirs: unknown; mine: unknown }

/** A field that somebody else has changed, as it reads. */
export type Difference = {
  name: string
  label: string
  was: string
  theirs: string
  /** What was typed here; absent where nothing was, so that the field has taken their value on its own. */
  mine: string | undefined
  /** Which of the two the field holds. */
  holds: 'mine' | 'theirs'
  choose: (which: 'mine' | 'theirs') => void
}

/**
 * Somebody else has changed the record while a form was open. What was typed stays, what wasn't touched becomes theirs,
 * and where both changed a field one can choose. A form uses it so:
 *
 *     const form = useForm({ …, defaultValues: inputOf(invoice) })
 *     const conflict = useConflict({ form, version: invoice?.version, inputOf, fields: { customer: 'Customer', … } })
 *     try { await core.updateInvoice(id, { ...values, version: conflict.version }) … }
 *     catch (thrown) { if (!conflict.refused(thrown)) setError(showRefusal(form, thrown, …)) }
 *     <FormModal …><Conflict conflict={conflict} /> …fields… </FormModal>
 *
 * The form's default values must be the record as it was opened: `defaultValues`, or `reset` once it has come.
 */
export function useConflict<T extends FieldValues, R>({ form, version, inputOf, fields }: Settings<T, R>) {
  const [met, setMet] = useState<{ round: number; version: number; rows: Row[] }>()
  const values: Record<string, unknown> = useWatch({ control: form.control })
  const set = (name: string, value: unknown, settings: Parameters<typeof form.setValue>[2]) =>
    form.setValue(name as FieldPath<T>, value as FieldPathValue<T, FieldPath<T>>, settings)

  /** Was the save refused because somebody else was faster? Then the form holds what both of them wrote. */
  const refused = (thrown: unknown): boolean => {
    const present = problemOf(thrown)?.present as (R & { version: number }) | undefined
    if (!present) return false
    const based: Record<string, unknown> = form.formState.defaultValues ?? {}
    const input: Record<string, unknown> = inputOf(present)
    const rows: Row[] = []
    const next: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(form.getValues())) {
      const base = based[name]
      const theirs = name in fields ? input[name] : base
      const isTyped = !isSame(value, base)
      next[name] = theirs
      const before = met?.rows.find(row => row.name === name)
      const was = before ? before.was : base
      // What was typed and given up for theirs is still there to choose.
      const mine = isTyped ? value : before?.mine
      const isNews = before !== undefined || !isSame(theirs, base)
      if (isNews && !isSame(theirs, mine ?? was)) rows.push({ name, was, theirs, mine })
    }
    rebase(form, next as DefaultValues<T>)
    setMet({ round: (met?.round ?? 0) + 1, version: present.version, rows })
    return true
  }

  const differenceOf = ({ name, was, theirs, ...before }: Row): Difference => {
    const field = fields[name] as Told<unknown>
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
        setMet(
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
    /** The version to save: that of the record as it was seen last. */
    version: met?.version ?? version,
    refused,
    /** How often somebody else was faster. */
    round: met?.round ?? 0,
    differences: met?.rows.map(differenceOf) ?? [],
  }
}

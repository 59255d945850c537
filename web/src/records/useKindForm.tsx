import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { core, type Records } from '~/core'
import type { ListsCore } from '~/core/lists'
import { textOf } from '~/language'
import type { ListQuery } from '~/lib/query'
import { useCreation } from '~/lib/useCreation'
import { completeDateOf } from '~/ui/DateField'
import { FieldInput, type InputOptions } from './FieldInput'
import { valueText } from './filter/conditions'
import type { Kind, RecordKind } from './kind'
import { type FormSettings, useRecordForm, type Versioned } from './RecordForm'
import type { FieldLabels } from './useConflict'
import { type Fields, useFieldsOf } from './useFields'
import { withReason } from './withReason'

/** The body of the requests that create and update a record. */
type Body<L extends keyof Records> = Records[L]['form'] & Omit<Records[L]['change'], 'version'>

/** The requests that create and update a record. */
type Requests<L extends keyof Records> = {
  create: (body: Body<L>, key: string) => Promise<Records[L]['saved']>
  update: (id: string, body: Records[L]['change']) => Promise<Records[L]['saved']>
}

/** Returns the body of the request; by default the form's values. */
type BodyOf<L extends keyof Records, T> = (values: T) => Body<L>

type Settings<
  L extends keyof Records,
  Q extends ListQuery,
  T extends FieldValues,
  R extends Versioned,
> = Omit<FormSettings<T, R, Records[L]['saved']>, 'draft' | 'edited' | 'labels' | 'save' | 'texts'> &
  Partial<Pick<FormSettings<T, R, Records[L]['saved']>, 'draft' | 'labels'>> & {
    kind: RecordKind<L, Q, R>
    /** Replaces `createRecord` and `updateRecord`. */
    requests?: Requests<L>
    /** The rules that `withRules` has loaded, if the form uses the fields of its list. */
    rules?: ListsCore
  } & (T extends Body<L> ? { bodyOf?: BodyOf<L, T> } : { bodyOf: BodyOf<L, T> })

/** Returns the labels of fields, with functions that format the values of their inputs. */
const labelsOf = ({ offered }: Fields): FieldLabels<Record<string, string>> =>
  Object.fromEntries(
    offered.map(field => {
      const show = (value: string) => valueText(field.kind === 'date' ? completeDateOf(value) : value, field)
      return [field.name, { label: textOf(field.label), show }]
    }),
  )

/**
 * Returns the state of the form that creates or edits a record of this kind: that of `useRecordForm`, and `input`, which
 * renders the input of a field by its kind. With `rules`, the labels of the list's fields, and the formats of their
 * values in conflicts, follow from the fields, except for those in `labels`. Without, `input` renders nothing. A record
 * that was created since `sentAt`, and is like the one in the form, may be what the form itself has created.
 */
export function useKindForm<
  L extends keyof Records,
  Q extends ListQuery,
  T extends FieldValues,
  R extends Versioned,
>({ kind, rules, labels, requests, bodyOf: ownBodyOf, ...settings }: Settings<L, Q, T, R>) {
  const fields = useFieldsOf(rules, kind.resource)
  const derived = useMemo(() => fields && labelsOf(fields), [fields])
  const { resource, words, failures, shouldNameFailure, hasPage } = kind
  const { record } = settings
  const bodyOf = (ownBodyOf ?? ((values: T) => values)) as BodyOf<L, T>
  const { definite } = words
  const id = record && kind.idOf(record)
  const { created, updated } = core.recordTexts(resource)
  const createFailed = failures?.create ?? t`Failed to create ${definite}.`
  const updateFailed = failures?.update ?? t`Failed to update ${definite}.`
  const failed = record ? updateFailed : createFailed
  const { create: send, update: change }: Requests<L> = requests ?? {
    create: (body, key) => core.createRecord(resource, body, key),
    update: (id, body) => core.updateRecord(resource, id, body),
  }
  const update = (id: string, body: Body<L>, version?: number) => change(id, { ...body, version })
  const draft = settings.draft ?? kind.draftOf(id)
  const { create, sentAt } = useCreation<Body<L>, Records[L]['saved']>({
    send,
    update: (created, body, version) => update(kind.idOf(created as unknown as R), body, version),
    draft,
  })
  const state = useRecordForm<T, R, Records[L]['saved']>({
    edited: id !== undefined && hasPage ? { resource, id } : undefined,
    save: (values, version) =>
      id === undefined ? create(bodyOf(values), version) : update(id, bodyOf(values), version),
    texts: { created: textOf(created), updated: textOf(updated), createFailed, updateFailed },
    describeError: shouldNameFailure ? message => message && withReason(failed, message) : undefined,
    labels: { ...derived, ...labels } as FieldLabels<NoInfer<T>>,
    ...settings,
    draft,
  })
  const input = (name: FieldPath<T> & keyof FieldLabels<T>, options?: InputOptions) => {
    const field = fields?.find(name)
    // A field that the user may not see has no input.
    if (!field) return null
    const ofLong = field.isLong && { lines: 3, className: 'sm:col-span-2' }
    return <FieldInput {...state.field(name)} field={field} {...ofLong} {...options} />
  }
  return { ...state, input, sentAt }
}

/** Returns the title of a record's form and the label of the button that submits it. */
export const formTitles = ({ words: { one }, create }: Pick<Kind, 'words' | 'create'>, record?: object) =>
  record
    ? { title: t`Edit ${one}`, submit: t`Save changes` }
    : { title: create.title, submit: t`Create ${one}` }

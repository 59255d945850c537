import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useState } from 'react'
import type { DefaultValues, FieldPath, FieldValues, SubmitErrorHandler } from 'react-hook-form'
import type { Core, FieldError } from '~/core'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors, useRevalidation } from '~/lib/form'
import { DraftNotice } from '~/ui/DraftNotice'
import { FormModal } from '~/ui/FormModal'
import { Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { clearErrorToasts } from '~/ui/toastQueue'
import { Conflict } from './Conflict'
import { type EditedRecord, useEditors } from './live/useEditors'
import { type FieldLabels, labelOf, useConflict } from './useConflict'
import type { FormDialog } from './useDialogs'

export type Versioned = { version: number }

export type FormSettings<T extends FieldValues, R extends Versioned, Saved> = Omit<
  FormDialog<R, Saved>,
  'onClose'
> & {
  /** The storage key of the draft, which identifies the form and its record. */
  draft: string
  /** The record, if other users are to see that this user edits it. */
  edited?: EditedRecord
  /** The version that the input is based on; by default that of `record`. */
  version?: number
  /** False while the form still loads its record. */
  isReady?: boolean
  /** Converts a record to form values. Without a record, returns the values of an empty form. */
  inputOf: (record?: R) => T
  defaultValues?: T
  /** The values of an empty form, if `defaultValues` are those of another record that begins this one. */
  emptyValues?: T
  /** The labels of the form's fields that are part of the record. */
  labels: FieldLabels<NoInfer<T>>
  check: (core: Core, values: T) => FieldError[]
  /** Creates or updates the record. `version` is the record's version on which the input is based. */
  save: (values: T, version: number | undefined) => Promise<Saved>
  texts: { created: string; updated: string; createFailed: string; updateFailed: string }
  onInvalid?: SubmitErrorHandler<T>
  /** Called with the current record of the server if another user has changed it since the form was opened. */
  onConflict?: (present: R) => void
  /** Returns the fields of the current record that the user can't change (any more). They lose the user's input. */
  fixedFields?: (present: R) => readonly (keyof NoInfer<T> & string)[]
  /** Replaces `message`, the error to show for the whole form, which is undefined if all errors belong to fields. */
  describeError?: (message: string | undefined, thrown: unknown) => string | undefined
}

/**
 * Returns the state of a form that creates or edits a record: it stores a draft, validates with the rules in core, and
 * merges the changes of other users.
 */
export function useRecordForm<T extends FieldValues, R extends Versioned, Saved>({
  draft,
  record,
  edited,
  version,
  isReady,
  inputOf,
  defaultValues = inputOf(record),
  emptyValues,
  labels,
  check,
  save,
  texts,
  onSaved,
  onInvalid,
  onConflict,
  fixedFields,
  describeError = message => message,
}: FormSettings<T, R, Saved>) {
  const [error, setError] = useState<string>()
  const clearError = () => setError(undefined)
  const [conflictVersion, setConflictVersion] = useState<number>()
  const {
    form,
    version: baseVersion,
    discardDraft,
    acceptDraft,
  } = useDraftForm<T>({
    draft,
    version: conflictVersion ?? version ?? record?.version,
    isReady,
    mode: 'onTouched',
    resolver: createResolver(check),
    defaultValues: defaultValues as DefaultValues<T>,
    emptyValues,
    onDiscard: clearError,
  })
  useRevalidation(form)
  const { isSubmitting, isDirty, errors } = form.formState
  const hasErrors = Object.keys(errors).length > 0
  // Removes the toast that asks for corrections when the last field is valid.
  useEffect(() => (hasErrors ? clearErrorToasts : undefined), [hasErrors])
  const editors = useEditors(edited)
  const conflict = useConflict<T, R>({
    form,
    version: baseVersion,
    inputOf,
    labels,
    onConflict(present) {
      setConflictVersion(present.version)
      acceptDraft(present.version)
      onConflict?.(present)
    },
    fixedFields,
  })
  const reportInvalid: SubmitErrorHandler<T> = (...invalid) => {
    clearError()
    return onInvalid?.(...invalid)
  }
  const submit = form.handleSubmit(async values => {
    clearError()
    try {
      const saved = await save(values, conflict.version)
      toast.success(record ? texts.updated : texts.created)
      onSaved(saved)
    } catch (thrown) {
      if (conflict.handle(thrown)) return
      const message = showErrors(form, thrown, record ? texts.updateFailed : texts.createFailed)
      setError(describeError(message, thrown))
    }
  }, reportInvalid)
  /** Returns the props that bind an input to a field. */
  const field = <N extends FieldPath<T> & keyof FieldLabels<T>>(name: N) => ({
    control: form.control,
    name,
    label: labelOf(labels, name),
  })
  return {
    form,
    conflict,
    editors,
    field,
    /** Handles an attempt to submit a form with invalid fields. */
    reportInvalid,
    // After a conflict, the user chooses between the values field by field instead.
    discardDraft: conflict.round === 0 ? discardDraft : undefined,
    modal: { busy: isSubmitting, dirty: isDirty, error, onSubmit: submit },
  }
}

type Props = {
  /** The result of `useRecordForm`. */
  state: Pick<ReturnType<typeof useRecordForm>, 'conflict' | 'editors' | 'discardDraft' | 'modal'>
  title: string
  description?: string
  submit: string
  /** What a restored draft doesn't contain. */
  draftNote?: string | false
  /** The dialog is wide enough for two columns of fields. */
  wide?: boolean
  /** The form can't be submitted yet. */
  ariaDisabled?: boolean
  onClose: (isStale: boolean) => void
  children: ReactNode
}

/** The dialog of a form that creates or edits a record. */
export function RecordForm({ state, description, draftNote, onClose, children, ...words }: Props) {
  const { conflict, editors, discardDraft, modal } = state
  return (
    <FormModal
      {...words}
      {...modal}
      // Usually the record's name, which may have been erased.
      description={conflict.hasErased ? undefined : description}
      onClose={() => onClose(conflict.round > 0)}
    >
      <div role="status">
        {editors.length > 0 && (
          <Notice kind="info" className="mb-5">
            {editorsText(editors)}
          </Notice>
        )}
      </div>
      <DraftNotice onDiscard={discardDraft} note={draftNote} className="mb-5" />
      <Conflict conflict={conflict} />
      {children}
    </FormModal>
  )
}

function editorsText(editors: string[]): string {
  const names = editors.join(', ')
  return editors.length === 1
    ? t`${names} is also editing this record`
    : t`${names} are also editing this record`
}

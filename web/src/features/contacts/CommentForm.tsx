import { t } from '@lingui/core/macro'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import type { CommentInput } from '~/core'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { Button } from '~/ui/Button'
import { DraftNotice } from '~/ui/DraftNotice'
import { ErrorNotice } from '~/ui/Notice'
import { TextField } from '~/ui/TextField'

type Props = {
  /** The storage key of the draft, which identifies the form. */
  draft: string
  label: string
  /** The text of the comment to edit; omitted for a new comment. */
  text?: string
  /** The label of the button that saves. */
  submit: string
  /** The error message for a failed request whose response has none. */
  failed: string
  onSave: (form: CommentInput) => Promise<void>
  /** Called with true when the form gets unsaved changes, and with false when it has none any more. */
  onDirty: (dirty: boolean) => void
  /** Closes the form without saving. Undefined in the form of a new comment, which is always open. */
  onCancel?: () => void
}

/** The form of a new comment, or of one that is edited. The input stays if saving fails. */
export function CommentForm({ draft, label, text = '', submit, failed, onSave, onDirty, onCancel }: Props) {
  const [error, setError] = useState<string>()
  const clearError = () => setError(undefined)
  const hint = useId()
  const { form, discardDraft } = useDraftForm({
    draft,
    mode: 'onChange',
    // An empty text shows no error, but disables the button.
    resolver: createResolver((rules, values) => (values.comment.trim() ? rules.checkComment(values) : [])),
    defaultValues: { comment: text },
    onDiscard: clearError,
  })
  const { control, formState, setFocus } = form
  const typed = form.watch('comment').trim()
  const dirty = typed !== text.trim()
  useEffect(() => onDirty(dirty), [dirty, onDirty])
  const isEdit = onCancel !== undefined
  useEffect(() => {
    if (isEdit) setFocus('comment')
  }, [isEdit, setFocus])
  const busy = formState.isSubmitting
  const save = form.handleSubmit(async values => {
    if (!typed || busy) return
    clearError()
    try {
      await onSave(values)
      form.reset()
    } catch (thrown) {
      setError(showErrors(form, thrown, failed))
    }
  }, clearError)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    if (event.key !== 'Escape' || !onCancel || busy) return
    // Stops the event, because a confirmation dialog that this may open would close on the same Escape.
    event.stopPropagation()
    onCancel()
  }
  return (
    <form noValidate onSubmit={save} onKeyDown={onKeyDown}>
      <ErrorNotice message={error} className="mb-3" />
      <DraftNotice onDiscard={discardDraft} className="mb-3" />
      <TextField
        control={control}
        name="comment"
        label={label}
        lines={3}
        autoComplete="off"
        readOnly={busy}
        className="[&_textarea]:field-sizing-content [&_textarea]:max-h-96 [&_textarea]:min-h-20 [&_textarea]:[overflow-wrap:anywhere]"
      />
      <div className="mt-1 flex flex-wrap items-center justify-end gap-2">
        <span id={hint} className="mr-auto text-xs text-muted max-md:hidden touch:hidden">
          {t`Press Ctrl + Enter to save.`}
        </span>
        {onCancel && <Button onClick={() => !busy && onCancel()}>{t`Cancel`}</Button>}
        <Button kind="primary" type="submit" busy={busy} ariaDisabled={!typed} aria-describedby={hint}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

import { t } from '@lingui/core/macro'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import type { CommentInput } from '~/core'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { Button } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { TextField } from '~/ui/TextField'

type Props = {
  /** Tells this box from all others. */
  draft: string
  label: string
  /** What stands there to begin with. */
  text?: string
  submit: string
  /** The sentence for a refusal that says nothing itself. */
  failed: string
  onSave: (form: CommentInput) => Promise<void>
  /** Words were typed that aren't saved, or aren't there any more. */
  onDirty: (dirty: boolean) => void
  /** Leaves the form; one without it always stays. */
  onCancel?: () => void
}

/** The box for a comment's words, new ones or changed ones. A refused save keeps them. */
export function CommentForm({ draft, label, text = '', submit, failed, onSave, onDirty, onCancel }: Props) {
  const [error, setError] = useState<string>()
  const hint = useId()
  const { form } = useDraftForm({
    draft,
    mode: 'onChange',
    // An empty box isn't a mistake, only nothing that could be saved: its button is off.
    resolver: createResolver((rules, values) => (values.comment.trim() ? rules.checkComment(values) : [])),
    defaultValues: { comment: text },
  })
  const { control, formState, setFocus } = form
  const words = form.watch('comment').trim()
  const dirty = words !== text.trim()
  useEffect(() => onDirty(dirty), [dirty, onDirty])
  const isEdit = onCancel !== undefined
  useEffect(() => {
    if (isEdit) setFocus('comment')
  }, [isEdit, setFocus])
  const busy = formState.isSubmitting
  const save = form.handleSubmit(async values => {
    if (!words || busy) return
    setError(undefined)
    try {
      await onSave(values)
      form.reset()
    } catch (thrown) {
      setError(showErrors(form, thrown, failed))
    }
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    if (event.key !== 'Escape' || !onCancel || busy) return
    // Else the very same key would close the question that it opens.
    event.stopPropagation()
    onCancel()
  }
  return (
    <form noValidate onSubmit={save} onKeyDown={onKeyDown} className="print:hidden">
      {error && (
        <Notice kind="error" className="mb-3">
          {error}
        </Notice>
      )}
      <TextField
        control={control}
        name="comment"
        label={label}
        lines={3}
        autoComplete="off"
        readOnly={busy}
        className="[&_textarea]:field-sizing-content [&_textarea]:max-h-96 [&_textarea]:min-h-20"
      />
      <div className="mt-1 flex flex-wrap items-center justify-end gap-2">
        <span id={hint} className="mr-auto text-xs text-muted max-md:hidden touch:hidden">
          {t`Press Ctrl + Enter to save.`}
        </span>
        {onCancel && <Button onClick={() => !busy && onCancel()}>{t`Cancel`}</Button>}
        <Button kind="primary" type="submit" busy={busy} ariaDisabled={!words} aria-describedby={hint}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

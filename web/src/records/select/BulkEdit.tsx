import { plural, t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { BulkResult } from '~/core'
import { isConflict, isUnanswered, messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { FormModal } from '~/ui/FormModal'
import { SelectField } from '~/ui/SelectField'
import { toast } from '~/ui/Toasts'
import { FieldInput } from '../FieldInput'
import type { Fields } from '../useFields'
import { useRevert } from '../useRevert'
import { BulkReport, DoneReport } from './BulkReport'
import { type BulkTarget, previewBulk, runBulk } from './bulk'

/** What the action with this field and value would do. */
type Preview = { key: string; result: BulkResult }

type Form = { field: string; values: Record<string, string> }

type Props = {
  fields: Fields
  noun: string
  target: BulkTarget
  /** The number of selected records. */
  selected: number
  /** Called when the dialog closes without an action. `isOutdated`: the records have changed meanwhile. */
  onClose: (isOutdated: boolean) => void
  /** Called after the change, and when the dialog closes after one whose response was lost. */
  onDone: () => void
}

/** The dialog that sets one field of the selected records. It first shows how many would change. */
export function BulkEdit({ fields, noun, target, selected, onClose, onDone }: Props) {
  const { list, rules, offered, find } = fields
  const choices = offered.filter(({ isBulkEditable }) => isBulkEditable)
  const [preview, setPreview] = useState<Preview>()
  const [done, setDone] = useState<BulkResult>()
  const [error, setError] = useState<string>()
  // The records have changed, so the list is loaded again when the dialog closes.
  const isOutdated = useRef(false)
  // The action that has perhaps changed them, because its response was lost. It ends as if that had arrived.
  const unanswered = useRef<Preview>(undefined)
  const report = useRef<HTMLElement>(null)
  const form = useForm<Form>({ defaultValues: { field: choices[0]?.name ?? '', values: {} } })
  const { control, handleSubmit, watch, formState } = form
  const name = watch('field')
  const field = find(name)
  const key = JSON.stringify([name, watch(`values.${name}`)])
  const result = preview?.key === key ? preview.result : undefined
  const failed = t`The records couldn't be changed.`
  const revert = useRevert(t`The change was undone`, t`Failed to undo the change`, 'keep')
  /** Closes the dialog, and says what was changed, which can be undone. */
  const finish = ({ changed, label, batch_id }: BulkResult) => {
    const text = label
      ? t`${label} was changed`
      : plural(changed, { one: '# record was changed', other: '# records were changed' })
    toast.success(text, { undo: batch_id === undefined ? undefined : revert(batch_id) })
    onDone()
  }
  const end = (result: BulkResult) => {
    // The refused records are named first, however long that takes to read.
    if (result.refused.length > 0) setDone(result)
    else finish(result)
  }
  const submit = handleSubmit(async ({ field, values }) => {
    setError(undefined)
    const typed = values[field] ?? ''
    const value =
      typed.trim() === '' ? null : (rules.typedCondition(list, field, 'is', [typed]).value ?? null)
    const action = { action: 'update', fields: { [field]: value } } as const
    const showPreview = async () => {
      const result = await previewBulk(list, target, action)
      const lost = unanswered.current
      if (lost?.key === key && result.changed === 0) end(lost.result)
      else setPreview({ key, result })
    }
    try {
      if (!result) return await showPreview()
      end(await runBulk(list, target, action, result))
    } catch (thrown) {
      setError(messageOf(thrown, failed))
      isOutdated.current ||= isConflict(thrown)
      if (result && isUnanswered(thrown)) unanswered.current = preview
      if (isConflict(thrown)) await showPreview().catch(again => setError(messageOf(again, failed)))
    }
  })
  const number = count(result?.changed ?? 0)
  const title = t`Edit ${noun}`
  if (done) {
    return (
      <Dialog open size="small" title={title} initialFocus={report} onClose={() => finish(done)}>
        <DoneReport ref={report} result={done} />
        <div className="mt-6 flex justify-end">
          <Button onClick={() => finish(done)}>{t`Close`}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <FormModal
      title={title}
      description={plural(selected, {
        one: 'Choose a field and its new value for the selected record.',
        other: 'Choose a field and its new value for the # selected records.',
      })}
      submit={result ? t`Change ${number}` : t`Show what will change`}
      ariaDisabled={result?.changed === 0}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={submit}
      onClose={() => (unanswered.current ? onDone() : onClose(isOutdated.current))}
    >
      <div className="grid gap-x-3 md:grid-cols-2">
        <SelectField
          control={control}
          name="field"
          label={t`Field`}
          choices={choices.map(({ name, label }) => ({ value: name, label: textOf(label) }))}
        />
        {field && (
          <FieldInput
            key={field.name}
            field={field}
            offered={field.bulkChoices}
            control={control}
            name={`values.${name}`}
            label={t`New value`}
            help={field.isRequired ? undefined : t`An empty value removes the present one.`}
            // The value is a space, because an empty one would mean that no choice was made. `submit` trims it.
            none={field.isRequired ? undefined : { value: ' ', label: t`No value` }}
          />
        )}
      </div>
      <BulkReport result={result} stage="update" />
    </FormModal>
  )
}

import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { isUnanswered, messageOf, textIn } from '~/core/problem'
import { locale, textOf } from '~/language'
import { useAttempt } from '~/lib/attempt'
import { moment } from '~/lib/format'
import { removeOnce } from '~/lib/removal'
import { Button } from '~/ui/Button'
import { NONE } from '~/ui/Card'
import { Dialog } from '~/ui/Dialog'
import { DialogActions } from '~/ui/DialogActions'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { RetryButton } from '~/ui/RetryButton'
import { toast } from '~/ui/Toasts'
import { valueText } from '../filter/conditions'
import { type Fields, useFields } from '../useFields'
import { isConflictOrGone, loadPresent, type Merged, merge, movedTexts, useUnmerge } from './api'
import {
  type Choices,
  cellOf,
  compareFields,
  firstChoices,
  inputOf,
  type MergeField,
  type MergeRecord,
  sourceOf,
  validChoices,
  valuesOf,
} from './choices'
import type { MergeList } from './duplicates'
import { usePreview } from './usePreview'

export type { MergeRecord }

type Props<R> = {
  list: MergeList
  records: R[]
  idOf: (record: R) => string
  onClose: () => void
  onMerged: () => void
}

/**
 * Whether the merge was sent, its response was lost, or the records have changed meanwhile; undefined while the user
 * chooses values.
 */
type MergeState = 'sent' | 'unanswered' | 'outdated' | undefined

/** The dialog that compares records field by field, lets the user choose the values to keep, and merges the records. */
export function MergeDialog<R extends MergeRecord>(props: Props<R>) {
  const { list, idOf, onMerged } = props
  const [state, setState] = useState<MergeState>()
  // The records as they were loaded last, and the choices to begin with. `round` counts the further times.
  const [{ round, ...loaded }, setLoaded] = useState(() => ({
    round: 0,
    records: props.records,
    choices: firstChoices(props.records, idOf),
  }))
  const onClose = () => {
    // While a merge runs, the dialog stays open, because the merge can't be stopped.
    if (state === 'sent') return
    // The records have changed or were deleted, or perhaps merged, so the caller loads the list again.
    if (state || round > 0) onMerged()
    else props.onClose()
  }
  const reload = async (choices: Choices) => {
    const before = loaded.records
    const records = await loadPresent<R>(list, before.map(idOf))
    if (records.length < 2) {
      toast.error(t`Too few of these records are left to merge.`)
      return onMerged()
    }
    setLoaded({ round: round + 1, records, choices: validChoices(choices, before, records, idOf) })
    setState(undefined)
  }
  const { fields, isFailed, retry } = useFields(list)
  const names = new Intl.ListFormat(locale).format([...new Set(loaded.records.map(({ name }) => name))])
  return (
    <Dialog open size="wide" title={t`Merge records`} description={names} onClose={onClose}>
      {fields ? (
        <Comparison
          key={round}
          {...props}
          {...loaded}
          fields={fields}
          onClose={onClose}
          state={state}
          onState={setState}
          isReloaded={round > 0}
          onReload={reload}
        />
      ) : (
        <div className="mt-5">
          {isFailed ? <RetryButton onClick={retry} /> : <p role="status">{t`Loading…`}</p>}
        </div>
      )}
    </Dialog>
  )
}

type ComparisonProps<R> = Props<R> & {
  fields: Fields
  /** The choices to begin with. */
  choices: Choices
  state: MergeState
  onState: (state: MergeState) => void
  /** The records had changed and were loaded again. */
  isReloaded: boolean
  /** Loads the records again, and keeps those of the choices that are still valid. */
  onReload: (choices: Choices) => Promise<void>
}

function Comparison<R extends MergeRecord>(props: ComparisonProps<R>) {
  const { list, records, idOf, fields, onClose, onMerged, state, onState } = props
  const [choices, setChoices] = useState(props.choices)
  const { figures, differing, same } = compareFields(fields, records)
  const input = inputOf(choices, differing, records, idOf)
  const { preview, error, errors, retry } = usePreview(list, input, () => onState('outdated'))
  const undo = useUnmerge()
  const attempt = useAttempt(t`Failed to merge the records`, async () => {
    onState('sent')
    const key = `merge ${[input.keep, ...input.ids].join()}`
    const merged = await removeOnce(key, () => merge(list, input)).catch(failure => {
      onState(isConflictOrGone(failure) ? 'outdated' : isUnanswered(failure) ? 'unanswered' : undefined)
      throw failure
    })
    toast.success(textIn(merged, t`The records were merged`), {
      undo: merged?.batch_id ? undo(merged.batch_id) : undefined,
    })
    onMerged()
  })
  const reload = useAttempt(t`Failed to load the records`, () => props.onReload(choices))
  const listOf = (fields: MergeField[]) =>
    new Intl.ListFormat(locale).format(fields.map(field => textOf(field.label)))
  return (
    <>
      <div className="mt-5 grid gap-5">
        {props.isReloaded && <ReloadedNotice />}
        <Choice
          name={t`Keep this record`}
          help={t`The others go to the trash.`}
          options={records.map(record => ({
            id: idOf(record),
            content: (
              <>
                {record.name}
                <span className="block text-muted">
                  {[record.customerNumber, t`Created ${moment(record.createdAt)}`]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </>
            ),
          }))}
          chosen={choices.keep}
          onChoose={keep => setChoices({ ...choices, keep })}
        />
        {differing.map(field => (
          <Choice
            key={field.name}
            name={textOf(field.label)}
            error={errors[field.name]}
            options={optionsOf(field, records, idOf)}
            chosen={chosenOf(field, choices, records, idOf)}
            onChoose={id => setChoices({ ...choices, from: { ...choices.from, [field.name]: id } })}
          />
        ))}
        {same.length > 0 && <p className="text-muted">{t`The same in all: ${listOf(same)}`}</p>}
        {figures.length > 0 && (
          <p className="text-muted">{t`These values follow from the agreements: ${listOf(figures)}`}</p>
        )}
        {list === 'customers' && (
          <p className="text-muted">
            {t`The kept customer keeps its own customer number and social security number.`}
          </p>
        )}
        <Outlook preview={preview} />
        {error !== undefined && <ErrorNotice message={messageOf(error, t`Failed to check the merge`)} />}
        <ErrorNotice message={attempt.error} scrollsIntoView />
        <ErrorNotice message={reload.error} scrollsIntoView />
      </div>
      <DialogActions>
        <Button ariaDisabled={state === 'sent'} onClick={onClose}>
          {state === 'outdated' ? t`Close` : t`Cancel`}
        </Button>
        {error !== undefined && state !== 'outdated' && <RetryButton onClick={retry} />}
        {state === 'outdated' && (
          <Button kind="primary" busy={reload.busy} onClick={reload.attempt}>
            {t`Load again`}
          </Button>
        )}
        <Button
          kind="primary"
          busy={attempt.busy}
          ariaDisabled={!preview || state === 'outdated'}
          onClick={attempt.attempt}
        >
          {t`Merge`}
        </Button>
      </DialogActions>
    </>
  )
}

/** Says that the present records are shown. Takes the focus, because the button that loaded them is gone. */
function ReloadedNotice() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <Notice kind="info">{t`These are the present records. Check them again, then merge.`}</Notice>
    </div>
  )
}

/** Says what moves from the merged records to the kept one besides values, such as comments. */
function Outlook({ preview }: { preview: Merged | undefined }) {
  const moved = preview ? movedTexts(preview.moved) : []
  const what = new Intl.ListFormat(locale).format(moved)
  return (
    <div role="status">
      {moved.length > 0 && <Notice kind="info">{t`Moves to the kept record: ${what}`}</Notice>}
    </div>
  )
}

type Option = { id: string; content: ReactNode }

/** Returns the options for a field: its different values in the records. */
function optionsOf<R extends MergeRecord>(
  field: MergeField,
  records: R[],
  idOf: (record: R) => string,
): Option[] {
  const values = valuesOf(field.name, records, idOf)
  return values.map(({ value, id }) => ({ id, content: value === '' ? NONE : valueText(value, field) }))
}

/** Returns the id of the option with the value that the merged record gets. */
function chosenOf<R extends MergeRecord>(
  { name }: MergeField,
  choices: Choices,
  records: R[],
  idOf: (record: R) => string,
): string {
  const source = sourceOf(name, choices, records, idOf)
  const record = records.find(each => idOf(each) === source)
  const values = valuesOf(name, records, idOf)
  return values.find(({ value }) => record && value === cellOf(record, name))?.id ?? source
}

type ChoiceProps = {
  name: string
  help?: string
  error?: string
  options: Option[]
  chosen: string
  onChoose: (id: string) => void
}

/**
 * A group of options, from which the user chooses one: the records, of which one is kept, or the different values of a
 * field.
 */
function Choice({ name, help, error, options, chosen, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={error || help ? `${id}-note` : undefined} className="min-w-0">
      <legend className="mb-1.5 font-medium">{name}</legend>
      <div className="grid gap-2 sm:grid-cols-[repeat(auto-fit,minmax(12rem,1fr))]">
        {options.map(option => (
          <label
            key={option.id}
            className="flex min-h-11 min-w-0 cursor-pointer items-start gap-2.5 rounded-lg border border-line px-3 py-2.5 has-checked:border-fill has-checked:bg-soft has-focus-visible:outline-2 has-focus-visible:outline-accent-text"
          >
            <input
              type="radio"
              name={id}
              className="mt-0.5 size-4 shrink-0 accent-fill outline-none"
              checked={option.id === chosen}
              onChange={() => onChoose(option.id)}
            />
            <span className="min-w-0 whitespace-pre-line [overflow-wrap:anywhere]">{option.content}</span>
          </label>
        ))}
      </div>
      {(error || help) && (
        <p id={`${id}-note`} className={error ? 'mt-1 text-danger' : 'mt-1 text-muted'}>
          {error || help}
        </p>
      )}
    </fieldset>
  )
}

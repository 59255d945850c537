import { t } from '@lingui/core/macro'
import { ListFilter, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { ConditionInput, ListField } from '~/core/lists'
import { Button } from '~/ui/Button'
import { KeyHint } from '~/ui/Key'
import { Popover } from '~/ui/Popover'
import { RetryButton } from '~/ui/RetryButton'
import { useShortcut } from '~/ui/shortcuts'
import type { Fields } from '../useFields'
import { ConditionEditor } from './ConditionEditor'
import { conditionText, fieldName, operatorName, withKeys } from './conditions'
import { FieldPicker } from './FieldPicker'

export type FilterProps = {
  fields: Fields | undefined
  /** The fields could not be loaded. */
  isFailed: boolean
  onRetry: () => void
  conditions: ConditionInput[]
  onChange: (conditions: ConditionInput[]) => void
}

/** Returns the conditions without the one at `index`. */
const withoutCondition = (conditions: ConditionInput[], index: number) =>
  conditions.filter((_, at) => at !== index)

/** The button that adds a condition: first its field, then its values. */
export function AddFilter({ fields, isFailed, onRetry, conditions, onChange }: FilterProps) {
  const [open, setOpen] = useState(false)
  const [field, setField] = useState<ListField>()
  const change = (open: boolean) => {
    setOpen(open)
    setField(undefined)
  }
  const keys = useShortcut('f', t`Add filter`, () => change(true))
  let content: ReactNode = <p role="status" className="p-2 text-muted">{t`Loading`}</p>
  if (isFailed) content = <LoadFieldsFailed onRetry={onRetry} />
  if (fields) {
    content = field ? (
      <ConditionEditor
        fields={fields}
        initial={field}
        others={conditions}
        onApply={condition => {
          change(false)
          onChange([...conditions, condition])
        }}
      />
    ) : (
      <FieldPicker fields={fields} onPick={setField} className="max-h-72" />
    )
  }
  return (
    <Popover
      label={t`Add filter`}
      open={open}
      onOpenChange={change}
      align="end"
      className={field ? 'w-96 p-3' : 'w-64'}
      trigger={
        <Button aria-keyshortcuts={keys}>
          <ListFilter aria-hidden className="size-4" />
          {t`Add filter`}
          {keys && <KeyHint keys="F" />}
        </Button>
      }
    >
      {content}
    </Popover>
  )
}

export function LoadFieldsFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 p-2">
      <p>{t`The list's fields couldn't be loaded. Check your connection.`}</p>
      <RetryButton onClick={onRetry} />
    </div>
  )
}

/**
 * The conditions of a list's filter as chips. A chip opens the form that changes its condition, and has a remove
 * button.
 */
export function FilterBar({ fields, conditions, onChange }: FilterProps) {
  const bar = useRef<HTMLUListElement>(null)
  if (conditions.length === 0) return null
  const removeAllBut = (rest: ConditionInput[]) => {
    // Moves the focus to the list, because the focused button is about to disappear.
    bar.current?.closest<HTMLElement>('section')?.focus({ preventScroll: true })
    onChange(rest)
  }
  return (
    <ul
      ref={bar}
      aria-label={t`Filters`}
      className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2.5 md:px-4 print:hidden"
    >
      {withKeys(conditions).map(({ condition, index, key }) => (
        <li key={key} className="min-w-0">
          <Chip
            fields={fields}
            condition={condition}
            others={withoutCondition(conditions, index)}
            onApply={changed => onChange(conditions.map((other, at) => (at === index ? changed : other)))}
            onRemove={() => removeAllBut(withoutCondition(conditions, index))}
          />
        </li>
      ))}
      <li>
        <Button kind="ghost" className="h-8! px-2.5! touch:h-touch!" onClick={() => removeAllBut([])}>
          {t`Clear filters`}
        </Button>
      </li>
    </ul>
  )
}

type ChipProps = {
  fields: Fields | undefined
  condition: ConditionInput
  others: ConditionInput[]
  onApply: (condition: ConditionInput) => void
  onRemove: () => void
}

function Chip({ fields, condition, others, onApply, onRemove }: ChipProps) {
  const [open, setOpen] = useState(false)
  const field = fields?.find(condition.field)
  const name = fieldName(field, condition.field)
  const operator = operatorName(condition.op, field?.kind)
  const value = conditionText(condition, field)
  const part = 'border-l border-line px-2.5'
  const text = (
    <>
      <span className="shrink-0 px-2.5 font-medium">{name}</span>{' '}
      <span className={`${part} shrink-0 text-muted`}>{operator}</span>{' '}
      {value && <span className={`${part} truncate font-medium`}>{value}</span>}
    </>
  )
  const look =
    'flex h-full min-w-0 items-center rounded-l-lg [&>span]:flex [&>span]:h-full [&>span]:items-center'
  return (
    <div className="flex h-8 max-w-full items-stretch rounded-lg border border-line bg-card touch:h-touch">
      {fields && field ? (
        <Popover
          label={t`Change the filter ${name}`}
          open={open}
          onOpenChange={setOpen}
          className="w-96 p-3"
          trigger={
            <button type="button" title={value} className={`${look} hover:bg-subtle`}>
              {text}
            </button>
          }
        >
          <ConditionEditor
            fields={fields}
            initial={condition}
            others={others}
            onApply={changed => {
              setOpen(false)
              onApply(changed)
            }}
            onRemove={onRemove}
          />
        </Popover>
      ) : (
        <span className={look}>{text}</span>
      )}
      <button
        type="button"
        aria-label={t`Remove the filter ${name}`}
        title={t`Remove`}
        onClick={onRemove}
        className="inline-flex w-8 shrink-0 items-center justify-center rounded-r-lg border-l border-line text-muted hover:bg-subtle hover:text-ink touch:w-11"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}

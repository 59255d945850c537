import { t } from '@lingui/core/macro'
import type { SortingState } from '@tanstack/react-table'
import { ListFilter, Pencil, Plus, X } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ConditionInput, ListField } from '~/core/lists'
import type { PanelFilter } from '~/lib/query'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'
import { KeyHint } from '~/ui/Key'
import { Panel } from '~/ui/Panel'
import { Select } from '~/ui/Select'
import { useShortcut } from '~/ui/shortcuts'
import type { Fields } from '../useFields'
import { ActiveCount } from './ActiveCount'
import { ConditionEditor } from './ConditionEditor'
import { conditionText, fieldName, operatorName, withKeys } from './conditions'
import { FieldPicker } from './FieldPicker'
import { type FilterProps, LoadFieldsFailed } from './FilterBar'

type Props = FilterProps & {
  sorting: SortingState
  /** The columns that the list can be sorted by. */
  sortable: { id: string; header: string }[]
  onSort: (sorting: SortingState) => void
  /** Starts the selection of records. Undefined if records can't be selected. */
  onSelect?: () => void
  /** The panel of filters that only this list has, if any. */
  panel?: FilterPanel
  /** Further buttons at the bottom of the panel. */
  buttons?: ReactNode
}

type SheetProps = Props & { onClose: () => void }

/** A panel of filters that only one list has. */
export type FilterPanel = {
  title: string
  /** Number of active filters. */
  active: number
  onOpen: () => void
  /** The values of the filters, which a view stores. */
  values: PanelFilter
}

/** In narrow windows, whose lists have no headers, the button that opens a panel with sort order and filters. */
export function FilterSheet(props: Props) {
  const [open, setOpen] = useState(false)
  const keys = useShortcut('f', t`Filter and sort`, () => setOpen(true))
  const { panel } = props
  const active = props.conditions.length + (props.sorting.length > 0 ? 1 : 0) + (panel?.active ?? 0)
  return (
    <>
      <Button
        className="relative px-3!"
        aria-haspopup="dialog"
        aria-keyshortcuts={keys}
        onClick={() => setOpen(true)}
      >
        <ListFilter aria-hidden className="size-4.5" />
        <span className="max-md:sr-only">{t`Filter and sort`}</span>
        {keys && <KeyHint keys="F" />}
        {active > 0 && <ActiveCount count={active} />}
      </Button>
      <Panel open={open} title={t`Filter and sort`} onClose={() => setOpen(false)}>
        <Sheet {...props} onClose={() => setOpen(false)} />
      </Panel>
    </>
  )
}

/**
 * The condition that is being edited: an existing one by its index, or a new one, whose field may not be chosen yet.
 */
type Editing = { index: number } | { field?: ListField }

function Sheet({ sorting, sortable, onSort, onSelect, panel, buttons, onClose, ...filter }: SheetProps) {
  const { fields, isFailed, onRetry, conditions, onChange } = filter
  const [editing, setEditing] = useState<Editing>()
  const editor = useId()
  const [first] = sorting
  const others = (index: number) => conditions.filter((_, at) => at !== index)
  const close = () => setEditing(undefined)
  const list = useRef<HTMLUListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const cancel = () => {
    // The button that opened the editor is rendered again before it gets the focus.
    flushSync(close)
    const item = editing && 'index' in editing ? list.current?.children[editing.index] : undefined
    const opener = item?.querySelector('button') ?? add.current
    opener?.focus()
  }
  const closeAnd = (run: () => void) => () => {
    onClose()
    run()
  }
  const hasEditor = fields && editing && ('index' in editing || editing.field)
  return (
    <>
      <div className="grid content-start gap-6 p-5">
        <section className="grid gap-2">
          <h3 className="font-semibold">{t`Sort by`}</h3>
          <Select
            label={t`Sort by`}
            value={first?.id ?? DEFAULT}
            choices={[
              { value: DEFAULT, label: t`Default order` },
              ...sortable.map(({ id, header }) => ({ value: id, label: header })),
            ]}
            onChange={id => onSort(id === DEFAULT ? [] : [{ id, desc: first?.desc ?? false }])}
          />
          {first && (
            <Select
              label={t`Direction`}
              value={first.desc ? 'desc' : 'asc'}
              choices={[
                { value: 'asc', label: t`Ascending` },
                { value: 'desc', label: t`Descending` },
              ]}
              onChange={direction => onSort([{ id: first.id, desc: direction === 'desc' }])}
            />
          )}
        </section>
        <section className="grid gap-2">
          <h3 className="font-semibold">{t`Filters`}</h3>
          {panel && (
            <Button aria-haspopup="dialog" className="justify-self-start" onClick={closeAnd(panel.onOpen)}>
              {panel.title}
              {panel.active > 0 && <ActiveCount count={panel.active} />}
            </Button>
          )}
          {isFailed && <LoadFieldsFailed onRetry={onRetry} />}
          {conditions.length > 0 && (
            <ul ref={list} className="grid gap-2">
              {withKeys(conditions).map(({ condition, index, key }) => (
                <li key={key} className="rounded-lg border border-line p-2 pl-3">
                  {fields && editing && 'index' in editing && editing.index === index ? (
                    <ConditionEditor
                      id={editor}
                      fields={fields}
                      initial={condition}
                      others={others(index)}
                      onApply={changed => {
                        close()
                        onChange(conditions.map((other, at) => (at === index ? changed : other)))
                      }}
                    />
                  ) : (
                    <Condition
                      fields={fields}
                      condition={condition}
                      onEdit={() => setEditing({ index })}
                      onRemove={() => {
                        close()
                        onChange(others(index))
                      }}
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
          {fields && editing && 'field' in editing && editing.field && (
            <div className="rounded-lg border border-line p-3">
              <ConditionEditor
                id={editor}
                fields={fields}
                initial={editing.field}
                others={conditions}
                onApply={condition => {
                  close()
                  onChange([...conditions, condition])
                }}
              />
            </div>
          )}
          {fields && editing && !('index' in editing) && !editing.field && (
            <FieldPicker fields={fields} onPick={field => setEditing({ field })} />
          )}
          {fields && !editing && (
            <div className="flex flex-wrap gap-2">
              <Button ref={add} onClick={() => setEditing({})}>
                <Plus aria-hidden className="size-4" />
                {t`Add filter`}
              </Button>
              {conditions.length > 0 && (
                <Button kind="ghost" onClick={() => onChange([])}>
                  {t`Clear filters`}
                </Button>
              )}
            </div>
          )}
        </section>
      </div>
      <div className="sticky bottom-0 mt-auto flex flex-wrap gap-2 border-t border-line bg-raised px-5 py-4">
        {editing ? (
          <Button className="flex-1" onClick={cancel}>
            {t`Cancel`}
          </Button>
        ) : (
          <>
            {onSelect && <Button onClick={closeAnd(onSelect)}>{t`Select`}</Button>}
            {buttons}
            <Button kind="primary" className="flex-1" onClick={onClose}>
              {t`Done`}
            </Button>
          </>
        )}
        {hasEditor && (
          <Button kind="primary" type="submit" form={editor} className="flex-1">
            {t`Apply`}
          </Button>
        )}
      </div>
    </>
  )
}

/** The value of the choice "Default order". A space, because an empty value would mean that no choice was made. */
const DEFAULT = ' '

type ConditionProps = {
  fields: Fields | undefined
  condition: ConditionInput
  onEdit: () => void
  onRemove: () => void
}

function Condition({ fields, condition, onEdit, onRemove }: ConditionProps) {
  const field = fields?.find(condition.field)
  const name = fieldName(field, condition.field)
  return (
    <div className="flex items-center gap-1">
      <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <span className="font-medium">{name}</span>{' '}
        <span className="text-muted">{operatorName(condition.op, field?.kind)}</span>{' '}
        <span className="font-medium">{conditionText(condition, field)}</span>
      </p>
      {field && (
        <IconButton
          label={t`Change the filter ${name}`}
          tip={t`Change`}
          icon={<Pencil aria-hidden className="size-4.5" />}
          onClick={onEdit}
        />
      )}
      <IconButton
        label={t`Remove the filter ${name}`}
        tip={t`Remove`}
        icon={<X aria-hidden className="size-4.5" />}
        onClick={onRemove}
      />
    </div>
  )
}

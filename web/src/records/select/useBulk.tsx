import { t } from '@lingui/core/macro'
import type { RowData } from '@tanstack/react-table'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ListName } from '~/core/lists'
import type { useListTools } from '../useListTools'
import type { Records } from '../useRecords'
import { BulkDelete } from './BulkDelete'
import { BulkEdit } from './BulkEdit'
import type { BulkTarget } from './bulk'
import { BarButton, SelectionBar } from './SelectionBar'
import { useSelection } from './useSelection'

type Settings<R> = {
  list: ListName
  noun: string
  tools: Pick<ReturnType<typeof useListTools>, 'fields' | 'filter'>
  records: Pick<
    Records<R>,
    'query' | 'may' | 'loaded' | 'addressOf' | 'refresh' | 'afterDeletion' | 'section'
  >
  /** The list's filters besides search and conditions, as in the API. */
  query?: Record<string, string>
}

/** Returns the selection of a list, and the bar with what can be done with the selected records. */
export function useBulk<R extends RowData>({ list, noun, tools, records, query }: Settings<R>) {
  const { may, loaded, addressOf, refresh, afterDeletion, section } = records
  // The same records in another order, or with other columns, stay selected.
  const state = useSelection(addressOf(1, { sort: '', view: '' }))
  const { selection, ids, select, clear, isSelecting } = state
  const [task, setTask] = useState<'edit' | 'delete'>()
  const { outcome } = loaded
  const total = outcome?.ok ? outcome.value.totalItems : 0
  const target: BulkTarget = selection.isAll
    ? { query: { search: records.query.search, filter: tools.filter.conditions, ...query } }
    : { ids }
  const close = () => setTask(undefined)
  const done = (reload: () => void) => () => {
    close()
    clear()
    reload()
  }
  const bar = (
    <>
      <SelectionBar
        state={state}
        total={total}
        onSelectAll={state.selectAll}
        onClear={() => {
          clear()
          // The button disappears.
          section.current?.focus()
        }}
      >
        {may.can_update && (
          <BarButton onClick={() => setTask('edit')}>
            <Pencil aria-hidden className="size-4" />
            {t`Edit…`}
          </BarButton>
        )}
        {may.can_delete && (
          <BarButton onClick={() => setTask('delete')}>
            <Trash2 aria-hidden className="size-4" />
            {t`Delete…`}
          </BarButton>
        )}
      </SelectionBar>
      {task === 'edit' && tools.fields && (
        <BulkEdit
          fields={tools.fields}
          noun={noun}
          target={target}
          onClose={close}
          onDone={done(() => refresh())}
        />
      )}
      {task === 'delete' && (
        <BulkDelete list={list} noun={noun} target={target} onClose={close} onDone={done(afterDeletion)} />
      )}
    </>
  )
  return {
    isAllowed: (may.can_update ?? false) || (may.can_delete ?? false),
    isSelecting,
    start: state.startSelecting,
    selecting: { selected: selection.ids, isAll: selection.isAll, isActive: isSelecting, onSelect: select },
    bar,
  }
}

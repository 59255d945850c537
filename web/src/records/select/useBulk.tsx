import { t } from '@lingui/core/macro'
import type { RowData, RowSelectionState } from '@tanstack/react-table'
import { Merge, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ListName } from '~/core/lists'
import { textOf } from '~/language'
import { onLiveEvent } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import { toast } from '~/ui/Toasts'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import { mayMergeRecords } from '../merge/duplicates'
import { MergeDialog, type MergeRecord } from '../merge/MergeDialog'
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
  idOf: (record: R) => string
  tools: Pick<ReturnType<typeof useListTools>, 'fields' | 'filter'>
  records: Pick<
    Records<R>,
    'query' | 'may' | 'loaded' | 'addressOf' | 'refresh' | 'afterDeletion' | 'deleted' | 'section'
  >
  /** API parameters of the filters that only this list has, besides search and conditions. */
  query?: Record<string, string>
}

/**
 * Returns why the selected records can't be merged; undefined if they can. `selected` is their number, `shown` how many
 * of them are on the current page, `most` how many can be merged at once.
 */
function whyNotMergeable(selected: number, shown: number, most: number): string | undefined {
  if (selected > most) return t`At most ${most} records can be merged at once. Select fewer.`
  return selected > shown ? t`Only records on the same page can be merged.` : undefined
}

/** Returns the selection of a list's records, and the bar with the actions on the selected ones. */
export function useBulk<R extends RowData>({ list, noun, idOf, tools, records, query }: Settings<R>) {
  const { may, loaded, addressOf, refresh, afterDeletion, deleted, section } = records
  // Records stay selected when the sort order or the view changes; another search or filter clears the selection.
  const state = useSelection(addressOf(1, { sort: '', view: '' }))
  const { selection, ids, select, clear, isSelecting } = state
  const deselect = useEffectEvent((record: R) => state.deselect([idOf(record)]))
  useEffect(() => {
    if (deleted !== undefined) deselect(deleted)
  }, [deleted])
  const [task, setTask] = useState<'edit' | 'delete' | 'merge'>()
  // Selected records that have been deleted, also by other users. They stay selected while a dialog is about them.
  const [gone, setGone] = useState<readonly string[]>([])
  const noteDeletion = useEffectEvent((event: LiveEvent) => {
    if (event.type !== 'changed' || event.resource !== list || event.action !== 'deleted') return
    const deletedIds = event.ids?.filter(id => selection.ids[id]) ?? []
    if (deletedIds.length > 0) setGone(all => [...all, ...deletedIds])
  })
  useEffect(() => onLiveEvent(event => noteDeletion(event)), [])
  const deselectGone = useEffectEvent(() => {
    state.deselect(gone)
    setGone([])
  })
  useEffect(() => {
    if (!task && gone.length > 0) deselectGone()
  }, [task, gone])
  useRescuedFocus(gone.length > 0, () => {
    // The bar has disappeared.
    if (state.isEmpty) section.current?.focus({ preventScroll: true })
  })
  const { outcome } = loaded
  const total = outcome?.ok ? outcome.value.totalItems : 0
  const target: BulkTarget = selection.isAll
    ? { query: { search: records.query.search, filter: tools.filter.conditions, ...query } }
    : { ids }
  const shown = outcome?.ok ? outcome.value.data : []
  const rows = selection.isAll ? shown : shown.filter(row => ids.includes(idOf(row)))
  const selected = selection.isAll ? total : ids.length
  const mergeList = list === 'contacts' || list === 'customers' ? list : undefined
  const maxMerged = tools.fields?.rules.maxMerged()
  const mayMerge = mergeList && maxMerged !== undefined && mayMergeRecords(may)
  const isOfferedToMerge = mayMerge && selected >= 2
  const notMergeable = mayMerge ? whyNotMergeable(selected, rows.length, maxMerged) : undefined
  const sizeError = tools.fields?.rules.bulkSizeError(selected)
  const unavailable = sizeError && textOf(sizeError)
  const selectRows = (ids: RowSelectionState) => {
    // After all records were selected, only the rows of this page are known by their ids.
    if (selection.isAll && total > shown.length && Object.values(ids).some(Boolean))
      toast.info(t`Only the records on this page stay selected.`)
    select(ids)
  }
  const close = () => setTask(undefined)
  // The records stay selected: nothing was done with them.
  const cancel = (isOutdated: boolean) => {
    close()
    if (isOutdated) refresh()
  }
  // Moves the focus to the list after an action, because the button that opened the dialog disappears.
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    setDone(false)
    section.current?.focus({ preventScroll: true })
  }, [isDone, section])
  const finish = (reload: () => void) => () => {
    close()
    clear()
    setDone(true)
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
          // Moves the focus to the list, because the focused button disappears.
          section.current?.focus()
        }}
      >
        {may.can_update && (
          <BarButton unavailable={unavailable} onClick={() => setTask('edit')}>
            <Pencil aria-hidden className="size-4" />
            {t`Edit…`}
          </BarButton>
        )}
        {isOfferedToMerge && (
          <BarButton unavailable={notMergeable} onClick={() => setTask('merge')}>
            <Merge aria-hidden className="size-4" />
            {t`Merge…`}
          </BarButton>
        )}
        {may.can_delete && (
          <BarButton isDanger unavailable={unavailable} onClick={() => setTask('delete')}>
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
          selected={selected}
          onClose={cancel}
          onDone={finish(refresh)}
        />
      )}
      {task === 'merge' && mergeList && isOfferedToMerge && !notMergeable && (
        <MergeDialog
          list={mergeList}
          // The cast is safe: rows of contacts and customers have the properties of a `MergeRecord`.
          records={rows as (R & MergeRecord)[]}
          idOf={idOf}
          onClose={close}
          onMerged={finish(afterDeletion)}
        />
      )}
      {task === 'delete' && (
        <BulkDelete list={list} noun={noun} target={target} onClose={cancel} onDone={finish(afterDeletion)} />
      )}
    </>
  )
  return {
    isAllowed: (may.can_update ?? false) || (may.can_delete ?? false),
    isSelecting,
    start: state.startSelecting,
    selecting: {
      selected: selection.ids,
      isAll: selection.isAll,
      isActive: isSelecting,
      onSelect: selectRows,
    },
    bar,
  }
}

import { t } from '@lingui/core/macro'
import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  functionalUpdate,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import {
  type ComponentProps,
  type CSSProperties,
  Fragment,
  type MouseEvent,
  type ReactNode,
  useId,
  useMemo,
  useRef,
} from 'react'
import { flushSync } from 'react-dom'
import { cx } from '~/ui/cx'
import { usePhone, useTablet } from '~/ui/usePhone'
import { withPicture } from './cells'
import type { Column, Expand, Selecting } from './columns'
import {
  COMPACT,
  columnsOf,
  DEFAULT_LAYOUT,
  fixWidths,
  type Layout,
  MIN_WIDTH,
  measureColumns,
  placeColumns,
} from './layout'
import { RecordRows } from './RecordRows'
import { RowToggle } from './RowToggle'
import { SelectBox, selectLabel } from './select/SelectBox'
import { isSortable, readSorting, writeSorting } from './sorting'
import { ResizeHandle, SortButton } from './TableHead'
import { cssWidth, minTableWidth } from './tableWidth'

const features = tableFeatures({
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
})

export type TableProps<R> = {
  /** Accessible name of the table. */
  label: string
  /** Defined at module scope or memoized: a new array recreates the table. */
  columns: readonly Column<R>[]
  rows: readonly R[]
  idOf: (record: R) => string
  /** The buttons of a row. */
  actions: (record: R) => ReactNode
  /** Returns the name of a record. With it, the buttons of a row are in a menu in narrow windows. */
  nameOf?: (record: R) => string
  /** In narrow windows, a tap on a row opens its menu, because the records have no page. */
  opensMenu?: boolean
  /** Returns what a click on a row does if the records have no page; undefined if nothing. */
  onOpen?: (record: R) => (() => void) | undefined
  /** The user may not change the records, so in narrow windows, where a tap opens a record, rows have no buttons. */
  isReadOnly?: boolean
  /** CSS width of the column with the buttons. Without it, there is no such column. */
  actionsWidth?: string
  /** Newer rows are loading. `rows` stay visible, dimmed. */
  stale: boolean
  /** The table has so many columns that its rows have two lines already at tablet width. */
  wide?: boolean
  /** The sort order, as in the API's parameter. Without it, the list can't be sorted. */
  sorting?: { sort: string; onSort: (sort: string) => void }
  /** The layout that the user can change. Without it, the table shows `columns` as given. */
  columnLayout?: { layout: Layout; onLayout: (layout: Layout) => void }
  /** The selection of rows. Without it, rows can't be selected. */
  selecting?: Selecting<R>
  /** The detail panel of an expanded row. One row can be expanded at a time, and none in narrow windows. */
  expand?: Expand<R>
}

/**
 * The table of a list; in narrow windows its rows have two lines (`RecordRows`). A link in the first column covers
 * the whole row. With `expand`, a click on a row expands or collapses it instead; with `onOpen`, a button covers it.
 */
export function RecordTable<R extends RowData>(props: TableProps<R>) {
  const { label, columns, rows, idOf, actions, actionsWidth, stale, wide = false } = props
  const { sorting, selecting, expand, onOpen } = props
  const { layout, onLayout } = props.columnLayout ?? { layout: DEFAULT_LAYOUT }
  const panelIdPrefix = useId()
  const tableElement = useRef<HTMLTableElement>(null)
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, R>()
    return columns.map(column => {
      const { id, header, cell, picture } = column
      // The accessor is unused, because the server sorts, but TanStack Table makes only columns with an accessor
      // sortable.
      return helper.accessor((record): unknown => record, {
        id,
        header,
        enableSorting: isSortable(column),
        minSize: MIN_WIDTH,
        cell: ({ row }) =>
          picture ? withPicture(picture(row.original), cell(row.original)) : cell(row.original),
      })
    })
  }, [columns])
  const placed = placeColumns(columns, layout)
  const sorted = readSorting(sorting?.sort ?? '', columns)
  const sizes = Object.fromEntries(
    placed.flatMap(({ column, width }) => (width === undefined ? [] : [[column.id, width]])),
  )
  const selected = selecting?.isAll
    ? Object.fromEntries(rows.map(record => [idOf(record), true as const]))
    : (selecting?.selected ?? {})
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: idOf,
    manualSorting: true,
    enableSorting: sorting !== undefined,
    // The first click on a header sorts ascending, for texts and numbers.
    sortDescFirst: false,
    enableColumnResizing: onLayout !== undefined,
    columnResizeMode: 'onChange',
    state: {
      sorting: sorted,
      columnOrder: placed.map(({ column }) => column.id),
      columnVisibility: Object.fromEntries(placed.map(({ column, isVisible }) => [column.id, isVisible])),
      columnSizing: sizes,
      rowSelection: selected,
    },
    enableRowSelection: selecting !== undefined,
    onRowSelectionChange: change => selecting?.onSelect(functionalUpdate(change, selected)),
    onSortingChange: change => sorting?.onSort(writeSorting(functionalUpdate(change, sorted), columns)),
    onColumnSizingChange: change => {
      const widths = functionalUpdate(change, sizes)
      const changed = placed.map(item => ({ ...item, width: widths[item.column.id] ?? item.width }))
      onLayout?.({ ...layout, columns: columnsOf(changed) })
    },
  })
  const [phone, tablet] = [usePhone(), useTablet()]
  const look = cx('transition-opacity duration-150', stale && 'opacity-50')
  if (phone || (wide && tablet)) {
    return (
      <RecordRows
        label={label}
        stale={stale}
        className={look}
        columns={placed.flatMap(({ column, isVisible }) => (isVisible ? [column] : []))}
        selecting={selecting}
        nameOf={props.nameOf}
        opensMenu={props.opensMenu}
        rows={table.getRowModel().rows.map(row => ({
          id: row.id,
          record: row.original,
          isSelected: row.getIsSelected(),
          onToggle: () => row.toggleSelected(),
          actions: !props.isReadOnly && actions(row.original),
        }))}
      />
    )
  }
  const shown = table.getRowModel().rows
  const heads = table.getHeaderGroups().flatMap(group => group.headers)
  const placeOf = (id: string) => placed.find(({ column }) => column.id === id)
  const hasUserWidths = Object.keys(sizes).length > 0
  const mayOverflow =
    hasUserWidths ||
    placed.some(({ column, isVisible }) => isVisible && (column.isExtra || column.hasNoSpace))
  const visible = placed.filter(({ isVisible }) => isVisible)
  // A column for the rest of the table's width: otherwise all columns would share it.
  const filler = hasUserWidths && !actionsWidth && <td aria-hidden className="print:hidden" />
  const minWidth = minTableWidth({
    columns: visible.map(({ column }) => ({ column, width: sizes[column.id] })),
    isSelectable: !!selecting,
    actionsWidth,
  })
  const cellClass = cx(
    'truncate px-4',
    layout.density === COMPACT
      ? 'h-9 touch:h-touch [&_button]:max-h-8 touch:[&_button]:max-h-touch'
      : 'h-11 touch:h-14',
  )
  const isOpen = (id: string) => id === expand?.id
  return (
    // Where the columns don't fit, the table scrolls. Print has its own widths (app.css).
    <div className={cx(mayOverflow ? 'overflow-x-auto' : 'max-xl:overflow-x-auto', 'print:overflow-visible')}>
      <table
        ref={tableElement}
        aria-label={label}
        aria-busy={stale}
        className={cx(
          'w-full table-fixed text-left print:min-w-0',
          mayOverflow ? 'min-w-(--min-table-width)' : 'max-xl:min-w-(--min-table-width)',
          look,
        )}
        style={{ '--min-table-width': minWidth } as CSSProperties}
      >
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            {selecting && (
              <th scope="col" className="w-11 pl-4 print:hidden">
                <SelectBox
                  label={t`Select all on this page`}
                  checked={table.getIsAllRowsSelected()}
                  // Not `getIsSomeRowsSelected`, which includes rows of other pages.
                  mixed={shown.some(row => row.getIsSelected()) && !table.getIsAllRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {heads.map(head => {
              const { id, column } = head
              const direction = column.getIsSorted()
              const text = String(column.columnDef.header)
              const own = placeOf(column.id)?.column
              return (
                <th
                  key={id}
                  scope="col"
                  data-column={column.id}
                  aria-sort={direction ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}
                  className={cx('relative h-10 px-4 font-medium touch:h-12', own?.isNumber && 'text-right')}
                  style={{ width: sizes[column.id] ?? cssWidth(own?.width) }}
                >
                  {column.getCanSort() ? (
                    <SortButton
                      text={text}
                      direction={direction}
                      place={direction && sorted.length > 1 ? column.getSortIndex() + 1 : undefined}
                      onSort={event => column.getToggleSortingHandler()?.(event)}
                    />
                  ) : (
                    text
                  )}
                  {column.getCanResize() && (
                    <ResizeHandle
                      isActive={column.getIsResizing()}
                      onReady={() => {
                        // Gives all columns their current width, so that resizing one doesn't change the others.
                        const fixed = fixWidths(placed, measureColumns(tableElement.current))
                        flushSync(() => onLayout?.({ ...layout, columns: columnsOf(fixed) }))
                      }}
                      onResize={event => head.getResizeHandler()(event)}
                    />
                  )}
                </th>
              )
            })}
            {filler}
            {actionsWidth && (
              <th
                scope="col"
                className="h-10 px-4 text-right font-medium print:hidden"
                style={{ width: hasUserWidths ? undefined : actionsWidth }}
              >
                {t`Actions`}
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {shown.map(row => (
            <Fragment key={row.id}>
              <tr
                onClick={forwardToOpener}
                onAuxClick={forwardToOpener}
                className={cx(
                  'group relative transition-colors',
                  row.getIsSelected()
                    ? 'bg-soft'
                    : // A row without a link or button doesn't react, because it opens nothing.
                      'has-[[data-opener]_:is(a,button)]:hover:bg-subtle/60',
                )}
              >
                {selecting && (
                  <td className="pl-4 print:hidden">
                    <SelectBox
                      label={selectLabel(selecting.nameOf(row.original))}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                {row.getVisibleCells().map((cell, index) => (
                  <Cell
                    key={cell.id}
                    isFirst={index === 0}
                    className={cx(
                      cellClass,
                      // Above what covers the row, so that a text that is cut shows its tooltip.
                      '[&_[title]]:relative [&_[title]]:z-1',
                      placeOf(cell.column.id)?.column.isNumber && 'text-right',
                      !expand &&
                        (index === 0 ? '[&_a]:after:absolute [&_a]:after:inset-0' : '[&_a]:relative'),
                    )}
                  >
                    {index === 0 && expand ? (
                      <RowToggle
                        id={row.id}
                        name={expand.nameOf(row.original)}
                        panelIdPrefix={panelIdPrefix}
                        expand={expand}
                      >
                        <table.FlexRender cell={cell} />
                      </RowToggle>
                    ) : (
                      <RowOpener onOpen={index === 0 ? onOpen?.(row.original) : undefined}>
                        <table.FlexRender cell={cell} />
                      </RowOpener>
                    )}
                  </Cell>
                ))}
                {filler}
                {actionsWidth && (
                  <td className={cx(cellClass, 'text-right print:hidden')}>
                    {/* `relative`, so that the buttons are above a link or toggle that covers the row. */}
                    <span className="relative inline-flex transition-opacity pointer-fine:opacity-0 group-focus-within:opacity-100! group-hover:opacity-100!">
                      {actions(row.original)}
                    </span>
                  </td>
                )}
              </tr>
              {isOpen(row.id) && (
                <tr id={`${panelIdPrefix}${row.id}`}>
                  <td colSpan={heads.length + (selecting ? 1 : 0) + (actionsWidth || filler ? 1 : 0)}>
                    {expand?.detail(row.original)}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/**
 * Forwards a click on a text that is above the link or button which covers the row. The link gets the pressed
 * keys, too, with which it opens another tab.
 */
function forwardToOpener({ target, currentTarget, nativeEvent }: MouseEvent<HTMLTableRowElement>) {
  const isText = target instanceof Element && target.closest('[title]') && !target.closest('a, button, label')
  // A right click opens the menu of the text, and the user may have selected a part of it instead.
  if (!isText || nativeEvent.button > 1 || getSelection()?.type === 'Range') return
  const opener = currentTarget.querySelector<HTMLElement>('[data-opener] :is(a, button)')
  // As a click on it would do. A dialog that closes gives the focus back.
  opener?.focus({ preventScroll: true })
  opener?.dispatchEvent(new window.MouseEvent(nativeEvent.type, nativeEvent))
}

/** A cell of a row. The first one opens the row, and its name is the row's header for screen readers. */
const Cell = ({ isFirst, className, ...cell }: ComponentProps<'td'> & { isFirst: boolean }) =>
  isFirst ? (
    <th scope="row" data-opener className={cx(className, 'font-normal')} {...cell} />
  ) : (
    <td className={className} {...cell} />
  )

type OpenerProps = { onOpen: (() => void) | undefined; children: ReactNode }

/** The first cell of a row. With `onOpen`, it is a button that covers the whole row. */
const RowOpener = ({ onOpen, children }: OpenerProps) =>
  onOpen ? (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="block max-w-full rounded text-left after:absolute after:inset-0"
    >
      {children}
    </button>
  ) : (
    children
  )

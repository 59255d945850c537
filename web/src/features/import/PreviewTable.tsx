import { plural, t } from '@lingui/core/macro'
import { PencilLine } from 'lucide-react'
import { useMemo } from 'react'
import type { ColumnMapping, FileHead } from '~/core'
import { cx } from '~/ui/cx'
import { ScrollRegion } from '~/ui/ScrollRegion'
import type { Change } from './changes'
import { columnTitle, fieldChoices } from './fields'
import { type Resolution, resolutionLookup } from './resolution'

const ROWS = 8
/** The maximum number of columns that are shown, because more would slow down the page. */
const COLUMNS = 60

type Props = {
  head: FileHead
  /** If set, each heading also names the field to which its column is mapped. */
  mapping?: ColumnMapping[]
  /** The user's corrections, which the cells show, and the rows to leave out, which are struck through. */
  changes?: Change[]
}

const NO_CHANGES: Change[] = []

export function PreviewTable({ head, mapping, changes = NO_CHANGES }: Props) {
  const columns = head.fileColumns.slice(0, COLUMNS)
  const more = head.fileColumns.length - columns.length
  const fields = new Map<string, string>(fieldChoices().map(({ value, label }) => [value, label]))
  const targets = mapping?.map(({ modelColumn }) => modelColumn)
  const isOut = (index: number) => targets?.[index] === 'doNotImport'
  const resolutionOf = useMemo(() => resolutionLookup(changes), [changes])
  return (
    <>
      <ScrollRegion label={t`First rows`} className="overflow-x-auto">
        <table className="w-full text-left">
          <thead className="border-b border-line text-xs text-muted">
            <tr>
              {columns.map((column, index) => (
                <th
                  key={column}
                  scope="col"
                  className={cx('h-10 max-w-64 truncate px-4 font-medium', targets && 'py-2')}
                  title={columnTitle(column)}
                >
                  {columnTitle(column)}
                  {targets?.[index] && (
                    <span className={cx('block truncate', !isOut(index) && 'text-accent-text')}>
                      {fields.get(targets[index])}
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {head.previewRows.slice(0, ROWS).map((row, at) => (
              <tr key={row}>
                {columns.map((column, index) => (
                  <PreviewCell
                    key={column}
                    text={head.preview[at]?.[index] ?? ''}
                    resolution={resolutionOf({ row, value: head.preview[at]?.[index] ?? '' }, column)}
                    isFirst={index === 0}
                    isOut={isOut(index)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {more > 0 && (
        <p className="border-t border-line px-4 py-2 text-xs text-muted">
          {plural(more, { one: 'and # more column', other: 'and # more columns' })}
        </p>
      )}
    </>
  )
}

type CellProps = {
  text: string
  resolution: Resolution
  /** Whether this is the first cell of its row, which says in words that the row is left out. */
  isFirst: boolean
  /** Whether the column is not imported. */
  isOut: boolean
}

function PreviewCell({ text, resolution, isFirst, isOut }: CellProps) {
  const isLeftOut = resolution === 'leftOut'
  const corrected = typeof resolution === 'object' ? resolution.to : undefined
  return (
    <td
      title={corrected ?? text}
      className={cx(
        'relative h-10 max-w-64 truncate px-4',
        (isOut || isLeftOut) && 'text-muted line-through',
      )}
    >
      {corrected === undefined ? (
        text
      ) : (
        <>
          <PencilLine aria-hidden className="mr-1.5 inline size-3.5 text-accent-text" />
          <b className="font-medium">{corrected || t`empty`}</b>
          <span className="sr-only">{` ${t`Corrected`}`}</span>
        </>
      )}
      {isLeftOut && isFirst && (
        <span className="sr-only">{` ${t({ message: 'Left out', context: 'row' })}`}</span>
      )}
    </td>
  )
}

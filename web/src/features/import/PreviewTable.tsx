import { plural, t } from '@lingui/core/macro'
import type { ColumnMapping, FileHead } from '~/core'
import { cx } from '~/ui/cx'
import { ScrollRegion } from '~/ui/ScrollRegion'
import { fieldChoices } from './fields'

const ROWS = 8
/** The maximum number of columns that are shown, because more would slow down the page. */
const COLUMNS = 60

type Props = {
  head: FileHead
  /** If set, each heading also names the field to which its column is mapped. */
  mapping?: ColumnMapping[]
}

export function PreviewTable({ head, mapping }: Props) {
  const columns = head.fileColumns.slice(0, COLUMNS)
  const more = head.fileColumns.length - columns.length
  const fields = new Map<string, string>(fieldChoices().map(({ value, label }) => [value, label]))
  const targets = mapping?.map(({ modelColumn }) => modelColumn)
  const isOut = (index: number) => targets?.[index] === 'doNotImport'
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
                  title={column}
                >
                  {column}
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
            {head.preview.slice(0, ROWS).map((row, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the rows is fixed.
              <tr key={number}>
                {columns.map((column, index) => (
                  <td
                    key={column}
                    title={row[index]}
                    className={cx('h-10 max-w-64 truncate px-4', isOut(index) && 'text-muted line-through')}
                  >
                    {row[index]}
                  </td>
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

import { plural, t } from '@lingui/core/macro'
import type { FileHead } from '~/core'
import { ScrollRegion } from '~/ui/ScrollRegion'

const ROWS = 8
/** More columns than anybody looks at would only hold the page up. */
const COLUMNS = 60

/** The first rows as they stand in the file. It scrolls sideways, like the sheet that it came from. */
export function PreviewTable({ head }: { head: FileHead }) {
  const columns = head.fileColumns.slice(0, COLUMNS)
  const more = head.fileColumns.length - columns.length
  return (
    <>
      <ScrollRegion label={t`First rows`} className="overflow-x-auto">
        <table className="w-full text-left">
          <thead className="border-b border-line text-xs text-muted">
            <tr>
              {columns.map(column => (
                <th
                  key={column}
                  scope="col"
                  className="h-10 max-w-64 truncate px-4 font-medium"
                  title={column}
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {head.preview.slice(0, ROWS).map((row, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places.
              <tr key={number}>
                {columns.map((column, index) => (
                  <td key={column} title={row[index]} className="h-10 max-w-64 truncate px-4">
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

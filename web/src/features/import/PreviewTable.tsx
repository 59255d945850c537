import type { FileHead } from '~/core'
import { ScrollRegion } from '~/ui/ScrollRegion'

const ROWS = 8

/** The first rows as they stand in the file. It scrolls sideways, like the sheet that it came from. */
export function PreviewTable({ head }: { head: FileHead }) {
  return (
    <ScrollRegion label="First rows" className="overflow-x-auto">
      <table className="w-full text-left">
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            {head.fileColumns.map(column => (
              <th key={column} scope="col" className="h-10 max-w-64 truncate px-4 font-medium" title={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {head.preview.slice(0, ROWS).map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places.
            <tr key={number}>
              {head.fileColumns.map((column, index) => (
                <td key={column} title={row[index]} className="h-10 max-w-64 truncate px-4">
                  {row[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

import { type ColumnMapping, core, type FieldError, type FileHead, type ModelColumn } from '~/core'
import { cx } from '~/ui/cx'
import { ScrollRegion } from '~/ui/ScrollRegion'
import { Select } from '~/ui/Select'
import { usePhone } from '~/ui/usePhone'

/** Enough to see what a column holds; the check looks at all of them. */
const ROWS = 5

type Props = {
  head: FileHead
  mapping: ColumnMapping[]
  errors: FieldError[]
  onMap: (column: number, to: ModelColumn) => void
}

/** The file's columns beside what they become; each guess with its reason, each mistake where it was made. */
export function MappingTable(props: Props) {
  return usePhone() ? <Cards {...props} /> : <Table {...props} />
}

type ColumnProps = Props & { index: number; column: string }

function Choice({ head, mapping, errors, onMap, index, column }: ColumnProps) {
  const chosen = mapping[index]?.modelColumn as ModelColumn
  const error = errors.find(e => e.field === column)?.message
  const match = head.matches[index]
  const reason = match?.modelColumn === chosen ? match.reason : 'Chosen by you'
  return (
    <>
      <Select
        label={`Field for “${column}”`}
        value={chosen}
        choices={core.modelColumns()}
        invalid={error !== undefined}
        onChange={to => onMap(index, to)}
      />
      <p className={cx('mt-1.5 min-h-8 text-xs leading-4 font-normal', error ? 'text-danger' : 'text-muted')}>
        {error ?? reason}
      </p>
    </>
  )
}

function Table(props: Props) {
  const { head, mapping } = props
  const faded = (index: number) => mapping[index]?.modelColumn === 'doNotImport' && 'text-muted'
  return (
    <ScrollRegion label="Columns and first rows" className="overflow-x-auto">
      <table className="w-full text-left">
        <thead className="border-b border-line">
          <tr>
            {head.fileColumns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className="min-w-52 px-3 pt-3 pb-1.5 align-top font-medium first:pl-4 last:pr-4"
              >
                <span className="mb-1.5 block max-w-64 truncate text-xs text-muted" title={column}>
                  {column}
                </span>
                <Choice {...props} index={index} column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {head.preview.slice(0, ROWS).map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change places.
            <tr key={number}>
              {head.fileColumns.map((column, index) => (
                <td
                  key={column}
                  title={row[index]}
                  className={cx('h-10 max-w-64 truncate px-3 first:pl-4 last:pr-4', faded(index))}
                >
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

function Cards(props: Props) {
  const { head } = props
  return (
    <ul aria-label="Columns" className="divide-y divide-line">
      {head.fileColumns.map((column, index) => (
        <li key={column} className="p-4">
          <h3 className="truncate font-medium">{column}</h3>
          <p className="mb-2 truncate text-xs text-muted">
            {head.preview
              .map(row => row[index])
              .filter(Boolean)
              .slice(0, 3)
              .join(', ') || 'No values in the first rows'}
          </p>
          <Choice {...props} index={index} column={column} />
        </li>
      ))}
    </ul>
  )
}

import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import type { Invoice, Permissions } from '~/core'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { IconButton, WithTip } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { calendarDay, price } from './format'
import { InvoiceLink } from './InvoiceLink'

/** A text that may be cut, or what stands in place of an empty one. */
const text = (value: string) =>
  value ? <span title={value}>{value}</span> : <span className="text-muted">-</span>

const day = (date: string) => (
  <time dateTime={date} className="tabular-nums">
    {calendarDay(date)}
  </time>
)

const column = columnsOf<Invoice>()
const facts = [
  column.accessor('customer', {
    header: 'Customer',
    cell: ({ getValue, row }) => (
      <InvoiceLink
        id={row.original._id}
        title={getValue()}
        className="block truncate rounded font-medium hover:underline"
      >
        {getValue()}
      </InvoiceLink>
    ),
  }),
  column.accessor('website', { header: 'Website', cell: ({ getValue }) => text(getValue()) }),
  column.accessor('email', { header: 'Email', cell: ({ getValue }) => text(getValue()) }),
  column.accessor('customerRequirements', {
    header: 'Requirements',
    cell: ({ getValue }) => text(getValue()),
  }),
  column.accessor('startDate', { header: 'Start Date', cell: ({ getValue }) => day(getValue()) }),
  column.accessor('endDate', { header: 'End Date', cell: ({ getValue }) => day(getValue()) }),
  column.accessor('projectPrice', {
    header: 'Project Price',
    cell: ({ getValue }) => (
      <span title={price(getValue())} className="block truncate tabular-nums lg:text-right">
        {price(getValue())}
      </span>
    ),
  }),
]

type Props = {
  invoices: Invoice[]
  stale: boolean
  may: Permissions
  onEdit: (invoice: Invoice) => void
  onDelete: (invoice: Invoice) => void
}

/** The invoices of a page. */
export function InvoiceTable({ invoices, stale, may, onEdit, onDelete }: Props) {
  const columns = useMemo(() => {
    const actions = column.display({
      id: 'actions',
      header: 'Actions',
      cell: ({ row: { original } }) => (
        <span className="inline-flex">
          <WithTip tip="View details">
            <InvoiceLink
              id={original._id}
              aria-label={`View invoice for ${original.customer}`}
              className={iconButtonClass}
            >
              <Eye aria-hidden className="size-4.5" />
            </InvoiceLink>
          </WithTip>
          {may.can_update && (
            <IconButton
              label={`Edit invoice for ${original.customer}`}
              tip="Edit"
              icon={<Pencil aria-hidden className="size-4.5" />}
              onClick={() => onEdit(original)}
            />
          )}
          {may.can_delete && (
            <IconButton
              label={`Delete invoice for ${original.customer}`}
              tip="Delete"
              icon={<Trash2 aria-hidden className="size-4.5" />}
              onClick={() => onDelete(original)}
            />
          )}
        </span>
      ),
    })
    return column.columns([...facts, actions])
  }, [may, onEdit, onDelete])
  return (
    <DataTable
      widths={['', '', '', '', 'w-34', 'w-34', 'w-36 text-right', 'w-38']}
      label="Invoices"
      columns={columns}
      rows={invoices}
      rowId={invoice => invoice._id}
      stale={stale}
      wide
    />
  )
}

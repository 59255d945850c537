import { t } from '@lingui/core/macro'
import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import type { Invoice, Permissions } from '~/core'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { IconButton, WithTip } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { calendarDay, price } from './format'
import { InvoiceLink } from './InvoiceLink'

/** A text that may be cut, or what stands in place of an empty one. */
const text = (value: string | undefined) =>
  value ? <span title={value}>{value}</span> : <span className="text-muted">-</span>

const day = (date: string) => (
  <time dateTime={date} className="tabular-nums">
    {calendarDay(date)}
  </time>
)

const column = columnsOf<Invoice>()
const facts = [
  column.accessor('customer', {
    header: t`Customer`,
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
  column.accessor('website', { header: t`Website`, cell: ({ getValue }) => text(getValue()) }),
  column.accessor('email', { header: t`Email`, cell: ({ getValue }) => text(getValue()) }),
  column.accessor('customerRequirements', {
    header: t`Requirements`,
    cell: ({ getValue }) => text(getValue()),
  }),
  column.accessor('startDate', { header: t`Start Date`, cell: ({ getValue }) => day(getValue()) }),
  column.accessor('endDate', { header: t`End Date`, cell: ({ getValue }) => day(getValue()) }),
  column.accessor('projectPrice', {
    header: t`Project Price`,
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
      header: t`Actions`,
      cell: ({ row: { original } }) => (
        <span className="inline-flex">
          <WithTip tip={t`View details`}>
            <InvoiceLink
              id={original._id}
              aria-label={t`View invoice for ${original.customer}`}
              className={iconButtonClass}
            >
              <Eye aria-hidden className="size-4.5" />
            </InvoiceLink>
          </WithTip>
          {may.can_update && (
            <IconButton
              label={t`Edit invoice for ${original.customer}`}
              tip={t`Edit`}
              icon={<Pencil aria-hidden className="size-4.5" />}
              onClick={() => onEdit(original)}
            />
          )}
          {may.can_delete && (
            <IconButton
              label={t`Delete invoice for ${original.customer}`}
              tip={t`Delete`}
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
      label={t`Invoices`}
      columns={columns}
      rows={invoices}
      rowId={invoice => invoice._id}
      stale={stale}
      wide
    />
  )
}

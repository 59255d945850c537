import { t } from '@lingui/core/macro'
import { Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import type { CustomerSummary, Permissions } from '~/core'
import { said } from '~/language'
import { Badge } from '~/ui/Badge'
import { NONE } from '~/ui/Card'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { IconButton } from '~/ui/IconButton'
import { CustomerFacts } from './CustomerFacts'

const text = (value: string | undefined) => (value ? <span title={value}>{value}</span> : NONE)

const column = columnsOf<CustomerSummary>()
const facts = [
  column.accessor('name', {
    header: t`Name`,
    cell: ({ getValue }) => (
      <span title={getValue()} className="font-medium">
        {getValue()}
      </span>
    ),
  }),
  column.accessor('email', { header: t`Email`, cell: ({ getValue }) => text(getValue()) }),
  column.accessor('address', { header: t`Address`, cell: ({ getValue }) => text(getValue()) }),
  column.accessor('telephone', {
    header: t`Telephone`,
    cell: ({ getValue }) => <span className="tabular-nums">{text(getValue())}</span>,
  }),
  column.accessor('latestPurchase', {
    header: t`Latest purchases`,
    cell: ({ getValue }) => <span className="tabular-nums">{text(getValue())}</span>,
  }),
  column.accessor('agreementType', {
    header: t`Agreement`,
    cell: ({ getValue }) => {
      const agreement = getValue()
      return agreement ? <Badge kind="quiet">{said(agreement)}</Badge> : NONE
    },
  }),
]

type Props = {
  customers: CustomerSummary[]
  stale: boolean
  may: Permissions
  /** The id of the customer whose row is open. */
  opened: string | undefined
  onToggle: (id: string) => void
  onEdit: (customer: CustomerSummary) => void
  onDelete: (customer: CustomerSummary) => void
}

/** The customers of a page; a row opens to everything that is known of one. */
export function CustomerTable({ customers, stale, may, opened, onToggle, onEdit, onDelete }: Props) {
  const columns = useMemo(() => {
    const actions = column.display({
      id: 'actions',
      header: t`Actions`,
      cell: ({ row: { original } }) => (
        <span className="relative inline-flex">
          {may.can_update && (
            <IconButton
              label={t`Edit ${original.name}`}
              icon={<Pencil aria-hidden className="size-4.5" />}
              onClick={() => onEdit(original)}
            />
          )}
          {may.can_delete && (
            <IconButton
              label={t`Delete ${original.name}`}
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
      widths={['', 'xl:w-[23%]', '', 'w-40', 'w-34', 'w-29', 'w-28']}
      label={t`Customers`}
      columns={columns}
      rows={customers}
      rowId={customer => customer.customer_id}
      stale={stale}
      wide
      expand={{
        id: opened,
        onToggle,
        detail: customer => (
          <CustomerFacts
            customer={customer}
            mayEdit={may.can_update ?? false}
            onEdit={() => onEdit(customer)}
          />
        ),
      }}
    />
  )
}

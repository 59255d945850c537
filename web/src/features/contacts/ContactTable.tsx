import { Eye } from 'lucide-react'
import type { Contact } from '~/core'
import { Avatar } from '~/ui/Avatar'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { iconButtonClass, WithTip } from '~/ui/IconButton'
import { ContactLink } from './ContactLink'

const NONE = <span className="text-muted">N/A</span>

const column = columnsOf<Contact>()
const columns = column.columns([
  column.accessor('name', {
    header: 'Name',
    cell: ({ row }) => (
      <span className="flex min-w-0 items-center gap-3">
        <Avatar name={row.original.name} />
        <ContactLink
          id={row.original._id}
          title={row.original.name}
          className="truncate rounded font-medium hover:underline"
        >
          {row.original.name}
        </ContactLink>
      </span>
    ),
  }),
  column.accessor('email', {
    header: 'Email',
    cell: ({ getValue }) => (getValue() ? <span title={getValue()}>{getValue()}</span> : NONE),
  }),
  column.accessor('phone', {
    header: 'Phone',
    cell: ({ getValue }) =>
      getValue() ? (
        <span title={getValue()} className="tabular-nums">
          {getValue()}
        </span>
      ) : (
        NONE
      ),
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row }) => (
      <WithTip tip="View details">
        <ContactLink
          id={row.original._id}
          aria-label={`View details of ${row.original.name}`}
          className={iconButtonClass}
        >
          <Eye aria-hidden className="size-4.5" />
        </ContactLink>
      </WithTip>
    ),
  }),
])

export function ContactTable({ contacts, stale }: { contacts: Contact[]; stale: boolean }) {
  return (
    <DataTable
      widths={['w-[36%]', 'w-[36%]', '', 'w-24']}
      label="Contacts"
      columns={columns}
      rows={contacts}
      rowId={contact => contact._id}
      stale={stale}
    />
  )
}

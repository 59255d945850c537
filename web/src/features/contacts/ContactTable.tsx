import { t } from '@lingui/core/macro'
import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import type { ContactSummary, Permissions } from '~/core'
import { Avatar } from '~/ui/Avatar'
import { NONE } from '~/ui/Card'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { IconButton, WithTip } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { ContactLink } from './ContactLink'

const column = columnsOf<ContactSummary>()
const facts = [
  column.accessor('name', {
    header: t`Name`,
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
    header: t`Email`,
    cell: ({ getValue }) => (getValue() ? <span title={getValue()}>{getValue()}</span> : NONE),
  }),
  column.accessor('phone', {
    header: t`Phone`,
    cell: ({ getValue }) =>
      getValue() ? (
        <span title={getValue()} className="tabular-nums">
          {getValue()}
        </span>
      ) : (
        NONE
      ),
  }),
]

type Props = {
  contacts: ContactSummary[]
  stale: boolean
  may: Permissions
  onEdit: (contact: ContactSummary) => void
  onDelete: (contact: ContactSummary) => void
}

/** The contacts of a page. Everybody may look at one; what else may be done is said by the permissions. */
export function ContactTable({ contacts, stale, may, onEdit, onDelete }: Props) {
  const columns = useMemo(() => {
    const actions = column.display({
      id: 'actions',
      header: t`Actions`,
      cell: ({ row: { original } }) => (
        <span className="inline-flex">
          <WithTip tip={t`View details`}>
            <ContactLink
              id={original._id}
              aria-label={t`View details of ${original.name}`}
              className={iconButtonClass}
            >
              <Eye aria-hidden className="size-4.5" />
            </ContactLink>
          </WithTip>
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
      widths={['w-[26%] lg:w-[32%]', '', 'w-40 lg:w-52', 'w-37 touch:w-43']}
      label={t`Contacts`}
      columns={columns}
      rows={contacts}
      rowId={contact => contact._id}
      stale={stale}
    />
  )
}

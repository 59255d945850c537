import { t } from '@lingui/core/macro'
import { Pencil, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import type { Permissions, User } from '~/core'
import { said } from '~/language'
import { day, exactMoment } from '~/lib/format'
import { Avatar } from '~/ui/Avatar'
import { Badge } from '~/ui/Badge'
import { NONE } from '~/ui/Card'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { IconButton } from '~/ui/IconButton'
import { userName } from './userName'

const column = columnsOf<User>()
const facts = [
  column.accessor(userName, {
    id: 'name',
    header: t`Name`,
    cell: ({ getValue }) => (
      <span className="flex min-w-0 items-center gap-3">
        <Avatar name={getValue()} />
        <span title={getValue()} className="truncate font-medium">
          {getValue()}
        </span>
      </span>
    ),
  }),
  column.accessor('email', {
    header: t`Email`,
    cell: ({ getValue }) => <span title={getValue()}>{getValue()}</span>,
  }),
  column.accessor(user => user.role?.name, {
    id: 'role',
    header: t`Role`,
    cell: ({ getValue }) => (getValue() ? <span title={getValue()}>{getValue()}</span> : NONE),
  }),
  column.accessor(user => said(user.user_type), {
    id: 'type',
    header: t`Type`,
    cell: ({ getValue }) => <span title={getValue()}>{getValue()}</span>,
  }),
  column.accessor('created_at', {
    header: t`Joined`,
    cell: ({ getValue }) => (
      <time dateTime={getValue()} title={exactMoment(getValue())} className="tabular-nums">
        {day(getValue())}
      </time>
    ),
  }),
  column.accessor('is_active', {
    header: t`Status`,
    cell: ({ getValue }) =>
      getValue() ? <Badge kind="success">{t`Active`}</Badge> : <Badge kind="quiet">{t`Inactive`}</Badge>,
  }),
]

type Props = {
  users: User[]
  stale: boolean
  may: Permissions
  onEdit: (user: User) => void
  onDelete: (user: User) => void
}

/** The users of a page. What may be done with one, the server says with their row. */
export function UserTable({ users, stale, may, onEdit, onDelete }: Props) {
  const columns = useMemo(() => {
    const actions = column.display({
      id: 'actions',
      header: t`Actions`,
      cell: ({ row: { original } }) => (
        <span className="inline-flex">
          {may.can_update && original.can_update && (
            <IconButton
              label={t`Edit ${userName(original)}`}
              icon={<Pencil aria-hidden className="size-4.5" />}
              onClick={() => onEdit(original)}
            />
          )}
          {may.can_delete && original.can_delete && (
            <IconButton
              label={t`Delete ${userName(original)}`}
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
      widths={['', 'w-[24%]', 'w-[14%]', 'w-[13.5%]', 'w-32', 'w-27', 'w-28']}
      label={t`Users`}
      columns={columns}
      rows={users}
      rowId={user => user.user_id}
      stale={stale}
      wide
    />
  )
}

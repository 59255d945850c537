import { Ban, LockOpen } from 'lucide-react'
import { useMemo } from 'react'
import type { CorporationUser } from '~/core'
import { Avatar } from '~/ui/Avatar'
import { Badge } from '~/ui/Badge'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { IconButton } from '~/ui/IconButton'
import { userName } from './userName'

const NONE = <span className="text-muted">N/A</span>

/** A text that may be cut, with its whole in reach. */
const text = (value: string | undefined, className?: string) =>
  value ? (
    <span title={value} className={className}>
      {value}
    </span>
  ) : (
    NONE
  )

const column = columnsOf<CorporationUser>()
const facts = [
  column.accessor(userName, {
    id: 'name',
    header: 'Name',
    cell: ({ getValue }) => (
      <span className="flex min-w-0 items-center gap-3">
        <Avatar name={getValue()} />
        {text(getValue(), 'truncate font-medium')}
      </span>
    ),
  }),
  column.accessor('email', { header: 'Email', cell: ({ getValue }) => text(getValue()) }),
  column.accessor('mobile', { header: 'Mobile', cell: ({ getValue }) => text(getValue(), 'tabular-nums') }),
  column.accessor('type', { header: 'User Type' }),
  column.accessor('UserRole', { header: 'Role', cell: ({ getValue }) => text(getValue()?.name) }),
  column.accessor('is_active', {
    header: 'Status',
    cell: ({ row: { original } }) => {
      if (original.ban) return <Badge kind="danger">Banned</Badge>
      return original.is_active ? <Badge kind="success">Active</Badge> : <Badge kind="quiet">Inactive</Badge>
    },
  }),
]

type Props = {
  users: CorporationUser[]
  stale: boolean
  /** May the person who looks ban this user, or lift their ban? */
  may: (user: CorporationUser) => boolean
  onChoose: (user: CorporationUser) => void
}

/** The users of a corporation. */
export function UserTable({ users, stale, may, onChoose }: Props) {
  const columns = useMemo(() => {
    const actions = column.display({
      id: 'actions',
      header: 'Actions',
      cell: ({ row: { original } }) =>
        may(original) && (
          <IconButton
            label={original.ban ? `Lift the ban of ${userName(original)}` : `Ban ${userName(original)}`}
            icon={
              original.ban ? (
                <LockOpen aria-hidden className="size-4.5" />
              ) : (
                <Ban aria-hidden className="size-4.5" />
              )
            }
            onClick={() => onChoose(original)}
          />
        ),
    })
    return column.columns([...facts, actions])
  }, [may, onChoose])
  return (
    <DataTable
      widths={['', 'w-[24%]', 'w-[15%]', 'w-28', 'w-[12%]', 'w-27', 'w-24']}
      label="Users"
      columns={columns}
      rows={users}
      rowId={user => user.id}
      stale={stale}
      wide
    />
  )
}

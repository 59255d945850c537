import { Ban, LockOpen, Pencil, UserCheck, UserX } from 'lucide-react'
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

/** What can be done with a user; a ban is lifted where there is one, and who is inactive is activated. */
export type UserAction = 'edit' | 'activity' | 'ban'

const icon = 'size-4.5'
const ways = [
  { action: 'edit', of: () => ({ verb: 'Edit', icon: <Pencil aria-hidden className={icon} /> }) },
  {
    action: 'activity',
    of: ({ is_active }: CorporationUser) =>
      is_active
        ? { verb: 'Deactivate', icon: <UserX aria-hidden className={icon} /> }
        : { verb: 'Activate', icon: <UserCheck aria-hidden className={icon} /> },
  },
  {
    action: 'ban',
    of: ({ ban }: CorporationUser) =>
      ban
        ? { verb: 'Lift the ban of', icon: <LockOpen aria-hidden className={icon} /> }
        : { verb: 'Ban', icon: <Ban aria-hidden className={icon} /> },
  },
] as const

type Props = {
  users: CorporationUser[]
  stale: boolean
  /** May the person who looks do this to this user? */
  may: (user: CorporationUser, action: UserAction) => boolean
  onChoose: (user: CorporationUser, action: UserAction) => void
}

/** The users of a corporation. */
export function UserTable({ users, stale, may, onChoose }: Props) {
  const columns = useMemo(() => {
    const actions = column.display({
      id: 'actions',
      header: 'Actions',
      cell: ({ row: { original } }) => (
        <span className="inline-flex">
          {ways
            .filter(({ action }) => may(original, action))
            .map(({ action, of }) => {
              const { verb, icon } = of(original)
              return (
                <IconButton
                  key={action}
                  label={`${verb} ${userName(original)}`}
                  icon={icon}
                  onClick={() => onChoose(original, action)}
                />
              )
            })}
        </span>
      ),
    })
    return column.columns([...facts, actions])
  }, [may, onChoose])
  return (
    <DataTable
      widths={['', 'w-[22%]', 'w-[14%]', 'w-26', 'w-[12%]', 'w-26', 'w-36']}
      label="Users"
      columns={columns}
      rows={users}
      rowId={user => user.id}
      stale={stale}
      wide
    />
  )
}

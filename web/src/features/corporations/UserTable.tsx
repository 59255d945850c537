import { t } from '@lingui/core/macro'
import { Ban, LockOpen, Pencil, UserCheck, UserX } from 'lucide-react'
import { useMemo } from 'react'
import type { CorporationUser } from '~/core'
import { said } from '~/language'
import { Avatar } from '~/ui/Avatar'
import { Badge } from '~/ui/Badge'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { IconButton } from '~/ui/IconButton'
import { userName } from './userName'

const NONE = <span className="text-muted">{t`N/A`}</span>

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
    header: t`Name`,
    cell: ({ getValue }) => (
      <span className="flex min-w-0 items-center gap-3">
        <Avatar name={getValue()} />
        {text(getValue(), 'truncate font-medium')}
      </span>
    ),
  }),
  column.accessor('email', { header: t`Email`, cell: ({ getValue }) => text(getValue()) }),
  column.accessor('mobile', { header: t`Mobile`, cell: ({ getValue }) => text(getValue(), 'tabular-nums') }),
  column.accessor('type', { header: t`User Type`, cell: ({ getValue }) => text(said(getValue())) }),
  column.accessor('UserRole', { header: t`Role`, cell: ({ getValue }) => text(getValue()?.name) }),
  column.accessor('is_active', {
    header: t`Status`,
    cell: ({ row: { original } }) => {
      if (original.ban) return <Badge kind="danger">{t`Banned`}</Badge>
      return original.is_active ? (
        <Badge kind="success">{t`Active`}</Badge>
      ) : (
        <Badge kind="quiet">{t`Inactive`}</Badge>
      )
    },
  }),
]

/** What can be done with a user; a ban is lifted where there is one, and who is inactive is activated. */
export type UserAction = 'edit' | 'activity' | 'ban'

const icon = 'size-4.5'
const ways = [
  {
    action: 'edit',
    of: (_: CorporationUser, name: string) => ({
      label: t`Edit ${name}`,
      icon: <Pencil aria-hidden className={icon} />,
    }),
  },
  {
    action: 'activity',
    of: ({ is_active }: CorporationUser, name: string) =>
      is_active
        ? { label: t`Deactivate ${name}`, icon: <UserX aria-hidden className={icon} /> }
        : { label: t`Activate ${name}`, icon: <UserCheck aria-hidden className={icon} /> },
  },
  {
    action: 'ban',
    of: ({ ban }: CorporationUser, name: string) =>
      ban
        ? { label: t`Lift the ban on ${name}`, icon: <LockOpen aria-hidden className={icon} /> }
        : { label: t`Ban ${name}`, icon: <Ban aria-hidden className={icon} /> },
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
      header: t`Actions`,
      cell: ({ row: { original } }) => (
        <span className="inline-flex">
          {ways
            .filter(({ action }) => may(original, action))
            .map(({ action, of }) => (
              <IconButton
                key={action}
                {...of(original, userName(original))}
                onClick={() => onChoose(original, action)}
              />
            ))}
        </span>
      ),
    })
    return column.columns([...facts, actions])
  }, [may, onChoose])
  return (
    <DataTable
      widths={['', 'w-[20%]', 'w-[14%]', 'w-[13.5%]', 'w-[12%]', 'w-30', 'w-36']}
      label={t`Users`}
      columns={columns}
      rows={users}
      rowId={user => user.id}
      stale={stale}
      wide
    />
  )
}

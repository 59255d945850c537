import { t } from '@lingui/core/macro'
import { Pencil, Trash2, Users } from 'lucide-react'
import { useMemo } from 'react'
import type { Corporation } from '~/core'
import { said } from '~/language'
import { Avatar } from '~/ui/Avatar'
import { Badge } from '~/ui/Badge'
import { columnsOf, DataTable } from '~/ui/DataTable'
import { IconButton, WithTip } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { CorporationLink } from './CorporationLink'

const column = columnsOf<Corporation>()
const facts = [
  column.accessor('corp_name', {
    header: t`Corporation`,
    cell: ({ row: { original } }) => (
      <span className="flex min-w-0 items-center gap-3">
        <Avatar name={original.corp_name} />
        <span className="grid min-w-0">
          <CorporationLink
            id={original.corp_id}
            title={original.corp_name}
            className="truncate rounded font-medium after:absolute after:inset-0 hover:underline"
          >
            {original.corp_name}
          </CorporationLink>
          {original.organization_number && (
            <span className="truncate text-xs text-muted tabular-nums">{original.organization_number}</span>
          )}
        </span>
      </span>
    ),
  }),
  column.accessor('allowed_resources_names', {
    header: t`Resources`,
    cell: ({ getValue, row: { original } }) => (
      <span className="block whitespace-normal md:py-1.5">
        {getValue().map(said).join(', ') || (
          <span className="text-muted">{original.is_platform ? t`Everything` : t`None`}</span>
        )}
      </span>
    ),
  }),
  column.accessor('corp_active', {
    header: t`Status`,
    cell: ({ getValue }) =>
      getValue() ? (
        <Badge kind="success">{t({ message: 'Active', context: 'corporation' })}</Badge>
      ) : (
        <Badge kind="quiet">{t({ message: 'Inactive', context: 'corporation' })}</Badge>
      ),
  }),
]

type Props = {
  corporations: Corporation[]
  stale: boolean
  /** What is there only for who may do it. */
  onEdit?: (corporation: Corporation) => void
  onDelete?: (corporation: Corporation) => void
}

export function CorporationTable({ corporations, stale, onEdit, onDelete }: Props) {
  const columns = useMemo(() => {
    const actions = column.display({
      id: 'actions',
      header: t`Actions`,
      cell: ({ row: { original } }) => (
        <span className="relative inline-flex">
          <WithTip tip={t`View users`}>
            <CorporationLink
              id={original.corp_id}
              aria-label={t`View users of ${original.corp_name}`}
              className={iconButtonClass}
            >
              <Users aria-hidden className="size-4.5" />
            </CorporationLink>
          </WithTip>
          {onEdit && (
            <IconButton
              label={t`Edit ${original.corp_name}`}
              icon={<Pencil aria-hidden className="size-4.5" />}
              onClick={() => onEdit(original)}
            />
          )}
          {onDelete && !original.is_platform && (
            <IconButton
              label={t`Delete ${original.corp_name}`}
              icon={<Trash2 aria-hidden className="size-4.5" />}
              onClick={() => onDelete(original)}
            />
          )}
        </span>
      ),
    })
    return column.columns([...facts, actions])
  }, [onEdit, onDelete])
  return (
    <DataTable
      widths={['w-[32%]', '', 'w-28', 'w-36']}
      label={t`Corporations`}
      columns={columns}
      rows={corporations}
      rowId={corporation => corporation.corp_id}
      stale={stale}
    />
  )
}

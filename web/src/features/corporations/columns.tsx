import { t } from '@lingui/core/macro'
import type { Corporation } from '~/core'
import { paths } from '~/lib/paths'
import { resourceTitle } from '~/lib/resources'
import { avatarOf } from '~/records/cells'
import type { Column } from '~/records/columns'
import { RecordLink } from '~/records/RecordLink'
import { Badge } from '~/ui/Badge'
import { statusOf } from './status'

export const columns: Column<Corporation>[] = [
  {
    id: 'corp_name',
    header: t`Corporation`,
    width: '24%',
    picture: avatarOf(({ corp_name }) => corp_name),
    cell: ({ corp_id, corp_name, organization_number }) => (
      <span className="grid min-w-0">
        <RecordLink
          to={paths.corporationUsers(corp_id)}
          className="min-w-0 rounded font-medium hover:underline"
        >
          <span title={corp_name} className="block truncate">
            {corp_name}
          </span>
        </RecordLink>
        {organization_number && (
          <span className="truncate text-xs text-muted tabular-nums">{organization_number}</span>
        )}
      </span>
    ),
  },
  {
    id: 'allowed_resources_names',
    header: t`Resources`,
    whenNarrow: 'notOnPhone',
    sort: [],
    cell: ({ allowed_resources, allowed_resources_names, is_platform }) => (
      <span className="block whitespace-normal md:py-1.5">
        {allowed_resources_names
          .map((name, index) => resourceTitle(allowed_resources[index] ?? '', name))
          .join(', ') || <span className="text-muted">{is_platform ? t`Everything` : t`None`}</span>}
      </span>
    ),
  },
  {
    id: 'corp_active',
    header: t`Status`,
    whenNarrow: 'first',
    width: 192,
    cell: corporation => {
      const { name, kind } = statusOf(corporation)
      return <Badge kind={kind}>{name}</Badge>
    },
  },
]

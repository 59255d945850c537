import { t } from '@lingui/core/macro'
import { Badge } from '~/ui/Badge'

type Props = { isActive: boolean; isBanned: boolean }

/** Shows whether a user may sign in, and everything that prevents it. */
export function AccountStatus({ isActive, isBanned }: Props) {
  if (isActive && !isBanned) return <Badge kind="success">{t`Active`}</Badge>
  return (
    <span className="inline-flex flex-wrap gap-1">
      {isBanned && <Badge kind="danger">{t`Banned`}</Badge>}{' '}
      {!isActive && <Badge kind="quiet">{t`Inactive`}</Badge>}
    </span>
  )
}

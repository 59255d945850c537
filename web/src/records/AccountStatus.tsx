import { t } from '@lingui/core/macro'
import { Badge } from '~/ui/Badge'

type Props = { isActive: boolean; isBanned: boolean }

/** Whether a user may sign in. */
export function AccountStatus({ isActive, isBanned }: Props) {
  if (isBanned) return <Badge kind="danger">{t`Banned`}</Badge>
  return isActive ? <Badge kind="success">{t`Active`}</Badge> : <Badge kind="quiet">{t`Inactive`}</Badge>
}

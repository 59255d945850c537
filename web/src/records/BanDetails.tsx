import { t } from '@lingui/core/macro'
import type { Ban } from '~/core'
import { Time } from './Time'

/** Shows why and when a user was banned. */
export function BanDetails({ ban: { reason, bannedAt } }: { ban: Ban }) {
  return (
    <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      <dt className="text-muted">{t`Reason`}</dt>
      <dd className="font-medium whitespace-pre-line [overflow-wrap:anywhere]">{reason || t`N/A`}</dd>
      <dt className="text-muted">{t`Banned on`}</dt>
      <dd className="font-medium">
        <Time at={bannedAt} />
      </dd>
    </dl>
  )
}

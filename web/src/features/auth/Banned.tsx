import { t } from '@lingui/core/macro'
import type { Ban } from '~/core'
import { exactMoment, moment } from '~/lib/format'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'

type Props = { ban: Ban; onClose: () => void }

export function Banned({ ban, onClose }: Props) {
  return (
    <Dialog
      open
      size="small"
      title={t`Account Banned`}
      description={t`Your account is banned from accessing the platform.`}
      onClose={onClose}
    >
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        <dt className="text-muted">{t`Reason`}</dt>
        <dd className="font-medium [overflow-wrap:anywhere]">{ban.reason || t`N/A`}</dd>
        <dt className="text-muted">{t`Banned on`}</dt>
        <dd className="font-medium">
          <time dateTime={ban.bannedAt} title={exactMoment(ban.bannedAt)}>
            {moment(ban.bannedAt)}
          </time>
        </dd>
      </dl>
      <div className="mt-6 flex justify-end">
        <Button kind="primary" onClick={onClose}>
          {t`Close`}
        </Button>
      </div>
    </Dialog>
  )
}

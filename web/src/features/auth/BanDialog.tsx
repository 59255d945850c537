import type { Ban } from '~/core'
import { exactMoment, moment } from '~/lib/format'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'

type Props = { ban: Ban | undefined; onClose: () => void }

/** Says to a banned person that they are, why, and since when. */
export function BanDialog({ ban, onClose }: Props) {
  return (
    <Dialog
      open={ban !== undefined}
      size="small"
      title="Account Banned"
      description="Your account is banned from accessing the platform."
      onClose={onClose}
    >
      {ban && (
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-muted">Reason</dt>
          <dd className="font-medium [overflow-wrap:anywhere]">{ban.reason || 'N/A'}</dd>
          <dt className="text-muted">Banned on</dt>
          <dd className="font-medium">
            <time dateTime={ban.bannedAt} title={exactMoment(ban.bannedAt)}>
              {moment(ban.bannedAt)}
            </time>
          </dd>
        </dl>
      )}
      <div className="mt-6 flex justify-end">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}

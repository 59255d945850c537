import { t } from '@lingui/core/macro'
import type { Ban } from '~/core'
import { BanDetails } from '~/records/BanDetails'
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
      <BanDetails ban={ban} />
      <div className="mt-6 flex justify-end">
        <Button kind="primary" onClick={onClose}>
          {t`Close`}
        </Button>
      </div>
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type Corporation, core } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'

type Props = { corporation: Corporation; onClose: () => void; onDeleted: () => void }

/** A name as it is shown: blanks beside each other are one. */
const shown = (name: string) => name.trim().replace(/\s+/g, ' ')

/** Deletes a corporation with all that is its own, once its name was typed. */
export function DeleteDialog({ corporation, onClose, onDeleted }: Props) {
  const { corp_id, corp_name } = corporation
  const [typed, setTyped] = useState('')
  const texts = core.texts().corporations
  const { busy, error, attempt } = useAttempt(texts.deleteFailed, async () => {
    await core.deleteCorporation(corp_id)
    toast.success(texts.deleted)
    onDeleted()
  })
  const close = () => !busy && onClose()
  return (
    <Dialog open size="small" title={t`Delete ${corp_name}?`} onClose={close}>
      <Notice kind="warning" className="mt-4">
        {texts.deleteWarning}
      </Notice>
      <label className="mt-4 grid gap-1.5 font-medium">
        {t`Type the corporation's name to confirm`}
        <input
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={event => setTyped(event.target.value)}
          className="box font-normal"
        />
      </label>
      {error && (
        <Notice kind="error" className="mt-4">
          {error}
        </Notice>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button
          kind="danger"
          busy={busy}
          ariaDisabled={shown(typed) !== shown(corp_name)}
          onClick={() => attempt()}
        >
          {t`Delete corporation`}
        </Button>
        <Button kind="primary" onClick={close}>
          {t`Keep corporation`}
        </Button>
      </div>
    </Dialog>
  )
}

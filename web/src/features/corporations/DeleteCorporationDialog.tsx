import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type Corporation, core } from '~/core'
import { textOf } from '~/language'
import { useAttempt } from '~/lib/attempt'
import { removeOnce } from '~/lib/removal'
import type { DeletionDialog } from '~/records/useDialogs'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { SmallDialogActions } from '~/ui/DialogActions'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'

/** Collapses white space like HTML does, because the user types the name as it is displayed. */
const collapse = (name: string) => name.trim().replace(/\s+/g, ' ')

/** The dialog that deletes a corporation and all its data. The user confirms by typing the corporation's name. */
export function DeleteCorporationDialog({ record, onClose, onDeleted }: DeletionDialog<Corporation>) {
  const { corp_id, corp_name } = record
  const [typed, setTyped] = useState('')
  const { busy, error, attempt } = useAttempt(t`Failed to delete corporation`, async () => {
    const result = await removeOnce(corp_id, () => core.deleteRecord('corporations', corp_id))
    toast.success(textOf(core.recordTexts('corporations').deleted))
    onDeleted(result)
  })
  const close = () => !busy && onClose()
  return (
    <Dialog open size="small" title={t`Delete ${corp_name}?`} onClose={close}>
      <Notice kind="warning" className="mt-4">
        {t`This removes the corporation and organization records, all users, all roles and permissions, theme settings and all vehicle records. It cannot be undone.`}{' '}
        {t`Its customers, contacts, invoices, agreements, imports and history are deleted, too.`}
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
      <ErrorNotice message={error} className="mt-4" />
      <SmallDialogActions>
        <Button
          kind="danger"
          busy={busy}
          ariaDisabled={collapse(typed) !== collapse(corp_name)}
          onClick={attempt}
        >
          {t`Delete corporation`}
        </Button>
        <Button kind="primary" onClick={close}>
          {t`Keep corporation`}
        </Button>
      </SmallDialogActions>
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { sentenceOf } from '~/lib/problem'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Notice } from '~/ui/Notice'
import { Sentence } from '~/ui/Sentence'
import { toast } from '~/ui/Toasts'

/** Deletes one's own account, once its email was typed. */
export function DeleteDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const isSure = typed.trim().toLowerCase() === email.toLowerCase()
  const remove = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await core.deleteAccount()
      toast.success(core.texts().profile.deleted)
      await navigate(paths.login, { replace: true })
    } catch (thrown) {
      setError(sentenceOf(thrown, core.texts().profile.deleteFailed))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      size="small"
      title={t`Delete Account`}
      description={
        <Sentence text={place => t`This deletes the account ${place}.`}>
          <strong className="font-medium text-ink [overflow-wrap:anywhere]">{email}</strong>
        </Sentence>
      }
      onClose={() => !busy && onClose()}
    >
      <Notice kind="warning" className="mt-4">
        {t`This action cannot be undone. All your data will be permanently deleted.`}
      </Notice>
      <label className="mt-4 grid gap-1.5 font-medium">
        {t`Type your email to confirm`}
        <input
          type="email"
          inputMode="email"
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
        <Button kind="lose" busy={busy} off={!isSure} onClick={() => void remove()}>
          {t`Delete my account`}
        </Button>
        <Button kind="primary" onClick={() => !busy && onClose()}>
          {t`Keep my account`}
        </Button>
      </div>
    </Dialog>
  )
}

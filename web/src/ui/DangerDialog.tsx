import { t } from '@lingui/core/macro'
import { type ReactNode, useRef } from 'react'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { ErrorNotice } from './Notice'

type Props = {
  title: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  busy: boolean
  error?: string
  onConfirm: () => void
  onClose: () => void
}

/**
 * Asks for confirmation before a permanent deletion. An error is shown in the open dialog. The destructive button
 * isn't the default.
 */
export function DangerDialog({
  title,
  children,
  confirmLabel,
  cancelLabel = t`Cancel`,
  busy,
  error,
  onConfirm,
  onClose,
}: Props) {
  const safe = useRef<HTMLButtonElement>(null)
  const close = () => !busy && onClose()
  return (
    <Dialog open size="small" title={title} description={children} initialFocus={safe} onClose={close}>
      <ErrorNotice className="mt-4" message={error} />
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button kind="danger" busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
        <Button kind="primary" ref={safe} onClick={close}>
          {cancelLabel}
        </Button>
      </div>
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { type ReactNode, useRef } from 'react'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { Notice } from './Notice'

type Props = {
  title: string
  /** What will be lost. */
  children: ReactNode
  /** What the button says that loses it. */
  lose: string
  /** What the safe button says. */
  keep?: string
  busy: boolean
  /** Why it was refused. */
  error?: string
  onLose: () => void
  onClose: () => void
}

/** Asks before the server takes something away for good; a refusal stays in place. The dangerous button isn't the default. */
export function DangerDialog({
  title,
  children,
  lose,
  keep = t`Cancel`,
  busy,
  error,
  onLose,
  onClose,
}: Props) {
  const safe = useRef<HTMLButtonElement>(null)
  const close = () => !busy && onClose()
  return (
    <Dialog open size="small" title={title} description={children} initialFocus={safe} onClose={close}>
      {error && (
        <Notice kind="error" className="mt-4">
          {error}
        </Notice>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button kind="lose" busy={busy} onClick={onLose}>
          {lose}
        </Button>
        <Button kind="primary" ref={safe} onClick={close}>
          {keep}
        </Button>
      </div>
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { SmallDialogActions } from './DialogActions'
import { ErrorNotice } from './Notice'

type Props = {
  title: string
  /** The dialog's description, which says what the action does. */
  children: ReactNode
  /** Shown below the description. */
  details?: ReactNode
  /** The action is destructive (the default). Then the button that closes the dialog is highlighted and has the focus. */
  isDanger?: boolean
  /** Label of the button that performs the action. */
  confirmLabel: string
  cancelLabel?: string
  /** Performs the action. Without it, the action is not possible, and the dialog has no button for it. */
  attempt: (() => void) | undefined
  busy: boolean
  /** Why the server rejected the request. */
  error?: string
  onClose: () => void
}

/**
 * A dialog that asks for confirmation before an action, or says why it is not possible. It stays open and shows the error
 * if the action fails.
 */
export function ActionDialog({
  title,
  children,
  details,
  isDanger = true,
  confirmLabel,
  cancelLabel,
  attempt,
  busy,
  error,
  onClose,
}: Props) {
  const safe = useRef<HTMLButtonElement>(null)
  const isPossible = attempt !== undefined
  const wasPossible = useRef(isPossible)
  useLayoutEffect(() => {
    // The button of the action, which had the focus, has disappeared.
    if (wasPossible.current && !isPossible) safe.current?.focus()
    wasPossible.current = isPossible
  }, [isPossible])
  const close = () => !busy && onClose()
  const cancel = (
    <Button kind={isDanger ? 'primary' : 'secondary'} ref={safe} onClick={close}>
      {cancelLabel ?? (attempt ? t`Cancel` : t`Close`)}
    </Button>
  )
  return (
    <Dialog
      open
      size="small"
      title={title}
      description={children}
      initialFocus={isDanger ? safe : undefined}
      onClose={close}
    >
      {details}
      <ErrorNotice className="mt-4" message={error} />
      <SmallDialogActions>
        {!isDanger && cancel}
        {attempt && (
          <Button kind={isDanger ? 'danger' : 'primary'} busy={busy} onClick={attempt}>
            {confirmLabel}
          </Button>
        )}
        {isDanger && cancel}
      </SmallDialogActions>
    </Dialog>
  )
}

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef } from 'react'
import { Button } from './Button'
import { SmallDialogActions } from './DialogActions'
import { useHistoryEntry } from './dialogHistory'
import { useFinalFocus } from './finalFocus'

type Props = {
  open: boolean
  title: string
  description: string
  /** Label of the button that cancels. */
  cancelLabel: string
  confirmLabel: string
  onCancel: () => void
  onConfirm: () => void
}

/** A confirmation dialog for a destructive action. The button that cancels is highlighted and has the focus. */
export function Confirm({ open, title, description, cancelLabel, confirmLabel, onCancel, onConfirm }: Props) {
  const safe = useRef<HTMLButtonElement>(null)
  useHistoryEntry(open, onCancel)
  const focus = useFinalFocus()
  return (
    <AlertDialog.Root open={open} onOpenChange={next => !next && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop forceRender className="fixed inset-0 z-40 bg-veil" />
        <AlertDialog.Viewport className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] p-4">
          <AlertDialog.Popup
            {...focus}
            initialFocus={safe}
            className="m-auto w-full max-w-md rounded-xl border border-line bg-raised p-6 text-ink shadow-float outline-none"
          >
            <AlertDialog.Title className="text-lg leading-6 font-semibold tracking-tight [overflow-wrap:anywhere]">
              {title}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1 text-muted [overflow-wrap:anywhere]">
              {description}
            </AlertDialog.Description>
            <SmallDialogActions>
              <Button kind="danger" onClick={onConfirm}>
                {confirmLabel}
              </Button>
              <Button kind="primary" onClick={onCancel} ref={safe}>
                {cancelLabel}
              </Button>
            </SmallDialogActions>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

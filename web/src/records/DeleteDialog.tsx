import type { ReactNode } from 'react'
import type { TrashInput } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { removeOnce } from '~/lib/removal'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'
import { useUndo } from './trash'
import type { DeletionDialog } from './useDialogs'

type Props<Result> = Omit<DeletionDialog<unknown, Result>, 'record'> & {
  title: string
  confirmLabel: string
  /** Shown in place of the question in `texts`. */
  question?: ReactNode
  /** Why the record can't be deleted. Replaces the question, and the dialog has no button that deletes. */
  obstacle?: string
  /** The record's name, and a detail that distinguishes it from others with this name. */
  name?: string
  detail?: ReactNode
  texts: { deleteQuestion?: string; deleted: string; deleteFailed: string }
  /** Replaces the error message by another one to show. */
  describeError?: (message: string) => string
  /** The record's id. A deletion whose response was lost is remembered by it. */
  id: string
  remove: () => Promise<Result>
  /** Identifies the deleted record in the trash, so that the toast can offer Undo. Without it, there is no Undo. */
  trash?: TrashInput
}

/** The dialog that asks for confirmation and deletes a record. */
export function DeleteDialog<Result>(props: Props<Result>) {
  const { title, confirmLabel, name, detail, texts, question = texts.deleteQuestion } = props
  const { obstacle, describeError = String } = props
  const { id, remove, trash, onClose, onDeleted } = props
  const undo = useUndo()
  const deletion = useAttempt(texts.deleteFailed, async () => {
    const result = await removeOnce(id, remove)
    toast.success(texts.deleted, { undo: trash && undo(trash) })
    onDeleted(result)
  })
  return (
    <ActionDialog
      {...deletion}
      attempt={obstacle ? undefined : deletion.attempt}
      title={title}
      confirmLabel={confirmLabel}
      error={deletion.error && describeError(deletion.error)}
      onClose={onClose}
    >
      {obstacle ?? question}
      {name && (
        <span className="mt-3 block [overflow-wrap:anywhere]">
          <strong className="block font-medium text-ink">{name}</strong>
          {detail}
        </span>
      )}
    </ActionDialog>
  )
}

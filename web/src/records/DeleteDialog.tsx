import type { ReactNode } from 'react'
import type { TrashInput } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'
import { useUndo } from './trash'
import type { DeletionDialog } from './useDialogs'

type Props<R, Result> = DeletionDialog<R, Result> & {
  title: string
  confirmLabel: string
  /** Replaces the question in `texts`. */
  question?: ReactNode
  /** Name of the record, and a detail to recognize it by. */
  name?: string
  detail?: ReactNode
  texts: { deleteQuestion?: string; deleted: string; deleteFailed: string }
  /** Returns the error to show for a message. */
  describeError?: (message: string) => string
  remove: (record: R) => Promise<Result>
  /** What is in the trash then. Without it, the deletion can't be undone. */
  trash?: TrashInput
}

/** Asks for confirmation and deletes a record. */
export function DeleteDialog<R, Result>(props: Props<R, Result>) {
  const { title, confirmLabel, name, detail, texts, question = texts.deleteQuestion } = props
  const { describeError = String } = props
  const { record, remove, trash, onClose, onDeleted } = props
  const undo = useUndo()
  const deletion = useAttempt(texts.deleteFailed, async () => {
    const result = await remove(record)
    toast.success(texts.deleted, { undo: trash && undo(trash) })
    onDeleted(result)
  })
  return (
    <ActionDialog
      {...deletion}
      title={title}
      confirmLabel={confirmLabel}
      error={deletion.error && describeError(deletion.error)}
      onClose={onClose}
    >
      {question}
      {name && (
        <span className="mt-3 block [overflow-wrap:anywhere]">
          <strong className="block font-medium text-ink">{name}</strong>
          {detail}
        </span>
      )}
    </ActionDialog>
  )
}

import { t } from '@lingui/core/macro'
import { type Comment, type Contact, core } from '~/core'
import { useAttempt } from '~/lib/attempt'
import { DangerDialog } from '~/ui/DangerDialog'
import { toast } from '~/ui/Toasts'

type Props = {
  contactId: string
  comment: Comment
  onClose: () => void
  onDeleted: (contact: Contact) => void
}

/** Asks before a comment is deleted. */
export function DeleteCommentDialog({ contactId, comment, onClose, onDeleted }: Props) {
  const texts = core.texts().contacts
  const { busy, error, attempt } = useAttempt(texts.commentDeleteFailed, async () => {
    const contact = await core.deleteComment(contactId, comment._id)
    toast.success(texts.commentDeleted)
    onDeleted(contact)
  })
  return (
    <DangerDialog
      title={t`Delete Comment`}
      confirmLabel={t`Delete comment`}
      busy={busy}
      error={error}
      onConfirm={attempt}
      onClose={onClose}
    >
      {texts.commentDeleteQuestion}
      <span className="mt-3 block [overflow-wrap:anywhere]">
        <strong className="block font-medium text-ink">{comment.userName}</strong>
        <span className="line-clamp-3">{comment.comment}</span>
      </span>
    </DangerDialog>
  )
}

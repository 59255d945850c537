import { t } from '@lingui/core/macro'
import { type Comment, type Contact, core } from '~/core'
import { textOf } from '~/language'
import { DeleteDialog } from '~/records/DeleteDialog'
import type { DeletionDialog } from '~/records/useDialogs'
import { authorName } from './authorName'

/** The dialog that asks for confirmation and deletes a comment. */
export function DeleteCommentDialog(dialog: DeletionDialog<Comment, Contact> & { contactId: string }) {
  const { _id, comment } = dialog.record
  const texts = core.texts().contacts
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete comment`}
      confirmLabel={t`Delete comment`}
      question={t`Are you sure you want to delete this comment?`}
      name={authorName(dialog.record)}
      detail={<span className="line-clamp-3">{comment}</span>}
      texts={{ deleted: textOf(texts.commentDeleted), deleteFailed: t`Failed to delete comment` }}
      id={_id}
      remove={() => core.deleteComment(dialog.contactId, _id)}
    />
  )
}

import { t } from '@lingui/core/macro'
import { useCallback, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { type Comment, type CommentInput, type Contact, core } from '~/core'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { useSession } from '~/lib/session'
import { useCreation } from '~/lib/useCreation'
import { ShowOlder } from '~/ui/ShowOlder'
import { toast } from '~/ui/Toasts'
import { Unsaved } from '~/ui/Unsaved'
import { CommentForm } from './CommentForm'
import { CommentItem } from './CommentItem'
import { DeleteCommentDialog } from './DeleteCommentDialog'
import { useComments } from './useComments'

type Props = {
  contact: Contact
  /** Whether the user may delete contacts. If so, they may also delete other users' comments. */
  mayDelete: boolean
  /** Called with the contact in the response to a change of its comments. */
  onChange: (contact: Contact) => void
}

/** The comments on a contact, and the form for a new one. */
export function Comments({ contact, mayDelete, onChange }: Props) {
  const texts = core.texts().contacts
  const { profile } = useSession()
  const { revalidate } = useRevalidator()
  const [editing, setEditing] = useState<Comment>()
  const [deleting, setDeleting] = useState<Comment>()
  const [hasNew, setHasNew] = useState(false)
  const [hasEdits, setHasEdits] = useState(false)
  // The action that waits until the user has confirmed that unsaved changes may be discarded.
  const [pending, setPending] = useState<{ run: () => void }>()
  const heading = useRef<HTMLHeadingElement>(null)
  const { comments, total, loading, error, loadOlder, replace } = useComments(contact)
  const list = useRef<HTMLUListElement>(null)
  const hasOlder = total > comments.length
  const shown = [...comments]
  // The comment that is being edited stays in the list, even if another user deletes it meanwhile.
  if (editing && !shown.some(({ _id }) => _id === editing._id)) shown.unshift(editing)
  const edit = useCallback((comment?: Comment) => {
    setEditing(comment)
    setHasEdits(false)
  }, [])
  const draft = `comment on ${contact._id}`
  const { create } = useCreation({
    send: (form: CommentInput, key) => core.createComment(contact._id, form, key),
    draft,
  })
  const runUnlessDirty = (run: () => void) => (hasEdits ? setPending({ run }) : run())
  const mayEdit = (comment: Comment) => core.mayEditComment(comment, profile.id)
  return (
    <section aria-labelledby="comments" className="card p-5 print:hidden">
      <h2 id="comments" ref={heading} tabIndex={-1} className="text-sm font-semibold outline-none">
        {t`Comments`}{' '}
        {total > 0 && <span className="ml-2 font-normal text-muted tabular-nums">{count(total)}</span>}
      </h2>
      <div className="mt-4">
        <CommentForm
          draft={draft}
          label={t`New comment`}
          submit={t`Add comment`}
          failed={t`Failed to add comment`}
          onDirty={setHasNew}
          onSave={async form => {
            onChange(await create(form))
            toast.success(textOf(texts.commentAdded))
          }}
        />
      </div>
      {shown.length === 0 ? (
        <p className="mt-4 border-t border-line pt-4 text-muted">{t`No comments available`}</p>
      ) : (
        <ul ref={list} aria-labelledby="comments" className="mt-4 divide-y divide-line border-t border-line">
          {shown.map(comment => (
            <CommentItem
              key={comment._id}
              comment={comment}
              onEdit={mayEdit(comment) ? () => runUnlessDirty(() => edit(comment)) : undefined}
              onDelete={
                core.mayDeleteComment(comment, profile.id, mayDelete) ? () => setDeleting(comment) : undefined
              }
              form={
                editing?._id === comment._id ? (
                  <CommentForm
                    draft={`comment ${comment._id}`}
                    label={t`Edit comment`}
                    text={editing.comment}
                    submit={t`Save`}
                    failed={t`Failed to edit comment`}
                    onDirty={setHasEdits}
                    onCancel={() => runUnlessDirty(edit)}
                    onSave={async form => {
                      const changed = await core.updateComment(contact._id, comment._id, form)
                      replace(comment._id, withNewText(comment, form))
                      onChange(changed)
                      toast.success(textOf(texts.commentEdited))
                      edit()
                    }}
                  />
                ) : undefined
              }
            />
          ))}
        </ul>
      )}
      <ShowOlder
        list={list}
        items=":scope > li"
        shown={shown.length}
        hasOlder={hasOlder}
        isLoading={loading}
        error={error}
        onLoad={loadOlder}
      >
        {t`Show older comments`}
      </ShowOlder>
      {deleting && (
        <DeleteCommentDialog
          contactId={contact._id}
          record={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={changed => {
            setDeleting(undefined)
            replace(deleting._id)
            if (changed) onChange(changed)
            else void revalidate()
            heading.current?.focus()
          }}
        />
      )}
      {(hasNew || hasEdits) && (
        <Unsaved
          dirty
          isAsking={pending !== undefined}
          onKeep={() => setPending(undefined)}
          onDiscard={() => {
            pending?.run()
            setPending(undefined)
          }}
        />
      )}
    </section>
  )
}

/** Returns a comment with its new text, for comments that are too old to be in the response to the change. */
function withNewText(comment: Comment, { comment: text = '' }: CommentInput): Comment {
  const now = Math.max(Date.now(), Date.parse(comment.createdAt) + 1)
  return { ...comment, comment: text.trim(), updatedAt: new Date(now).toISOString() }
}

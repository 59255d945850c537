import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Comment, type CommentInput, type Contact, core } from '~/core'
import { count } from '~/lib/format'
import { useSession } from '~/lib/session'
import { Button } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { Unsaved } from '~/ui/Unsaved'
import { CommentForm } from './CommentForm'
import { CommentItem } from './CommentItem'
import { DeleteCommentDialog } from './DeleteCommentDialog'
import { useComments } from './useComments'

type Props = {
  contact: Contact
  /** Whoever may delete contacts may delete what others said of them. */
  mayDelete: boolean
  /** The contact as the server has it after a comment came, changed or went. */
  onChange: (contact: Contact) => void
}

/** What was said about a contact, and the box to say more. */
export function Comments({ contact, mayDelete, onChange }: Props) {
  const texts = core.texts().contacts
  const { profile } = useSession()
  const [editing, setEditing] = useState<Comment>()
  const [deleting, setDeleting] = useState<Comment>()
  const [hasNew, setHasNew] = useState(false)
  const [hasEdits, setHasEdits] = useState(false)
  // What waits until somebody has said that their words may go.
  const [waiting, setWaiting] = useState<{ then: () => void }>()
  const heading = useRef<HTMLHeadingElement>(null)
  const { comments, total, loading, error, loadOlder, replace } = useComments(contact)
  const list = useRef<HTMLUListElement>(null)
  const hasOlder = total > comments.length
  // The button goes with the last page, and the focus must not go with it.
  const asked = useRef<number>(undefined)
  useEffect(() => {
    const from = asked.current
    if (from === undefined || loading) return
    asked.current = undefined
    if (!hasOlder)
      list.current?.querySelectorAll<HTMLElement>(':scope > li')[from]?.focus({ preventScroll: true })
  }, [loading, hasOlder])
  const shown = [...comments]
  // Words that are being edited stay, even if somebody else deletes the comment meanwhile.
  if (editing && !shown.some(({ _id }) => _id === editing._id)) shown.unshift(editing)
  const edit = useCallback((comment?: Comment) => {
    setEditing(comment)
    setHasEdits(false)
  }, [])
  const unlessDirty = (then: () => void) => (hasEdits ? setWaiting({ then }) : then())
  const mayEdit = (comment: Comment) => core.mayEditComment(comment, profile.id)
  return (
    <section aria-labelledby="comments" className="card p-5">
      <h2 id="comments" ref={heading} tabIndex={-1} className="text-sm font-semibold outline-none">
        {t`Comments`}{' '}
        {total > 0 && <span className="ml-2 font-normal text-muted tabular-nums">{count(total)}</span>}
      </h2>
      <div className="mt-4">
        <CommentForm
          draft={`comment on ${contact._id}`}
          label={t`New comment`}
          submit={t`Add comment`}
          failed={texts.commentAddFailed}
          onDirty={setHasNew}
          onSave={async form => {
            onChange(await core.createComment(contact._id, form))
            toast.success(texts.commentAdded)
          }}
        />
      </div>
      {shown.length === 0 ? (
        <p className="mt-4 border-t border-line pt-4 text-muted">{texts.noComments}</p>
      ) : (
        <ul ref={list} aria-labelledby="comments" className="mt-4 divide-y divide-line border-t border-line">
          {shown.map(comment => (
            <CommentItem
              key={comment._id}
              comment={comment}
              onEdit={mayEdit(comment) ? () => unlessDirty(() => edit(comment)) : undefined}
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
                    failed={texts.commentEditFailed}
                    onDirty={setHasEdits}
                    onCancel={() => unlessDirty(edit)}
                    onSave={async form => {
                      const changed = await core.updateComment(contact._id, comment._id, form)
                      replace(comment._id, edited(comment, form))
                      onChange(changed)
                      toast.success(texts.commentEdited)
                      edit()
                    }}
                  />
                ) : undefined
              }
            />
          ))}
        </ul>
      )}
      {hasOlder && (
        <div className="border-t border-line pt-4 text-center print:hidden">
          {error && (
            <Notice kind="error" scrollsIntoView className="mb-3 text-left">
              {error}
            </Notice>
          )}
          <Button
            busy={loading}
            onClick={() => {
              asked.current = shown.length
              loadOlder()
            }}
          >
            {t`Show older comments`}
          </Button>
        </div>
      )}
      {deleting && (
        <DeleteCommentDialog
          contactId={contact._id}
          record={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={changed => {
            setDeleting(undefined)
            replace(deleting._id)
            onChange(changed)
            heading.current?.focus()
          }}
        />
      )}
      {(hasNew || hasEdits) && (
        <Unsaved
          dirty
          isAsking={waiting !== undefined}
          onKeep={() => setWaiting(undefined)}
          onDiscard={() => {
            waiting?.then()
            setWaiting(undefined)
          }}
        />
      )}
    </section>
  )
}

/** A comment as it reads once it was edited. Of an older one no answer says so. */
function edited(comment: Comment, { comment: words = '' }: CommentInput): Comment {
  const now = Math.max(Date.now(), Date.parse(comment.createdAt) + 1)
  return { ...comment, comment: words.trim(), updatedAt: new Date(now).toISOString() }
}

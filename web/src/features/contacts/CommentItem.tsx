import { t } from '@lingui/core/macro'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Comment } from '~/core'
import { exactMoment, moment } from '~/lib/format'
import { shownText } from '~/lib/words'
import { Time } from '~/records/Time'
import { Avatar } from '~/ui/Avatar'
import { cx } from '~/ui/cx'
import { IconButton } from '~/ui/IconButton'
import { authorName } from './authorName'

/** Comments that are longer than one of these limits are collapsed at first. */
const LONG = { characters: 700, lines: 10 }

type Props = {
  comment: Comment
  /** `onEdit` is undefined if the user may not edit the comment, `onDelete` if the user may not delete it. */
  onEdit?: () => void
  onDelete?: () => void
  /** The form that is shown instead of the text while the comment is edited. */
  form?: ReactNode
}

/** A comment with its author and time. */
export function CommentItem({ comment, onEdit, onDelete, form }: Props) {
  const editButton = useRef<HTMLButtonElement>(null)
  const isEditing = form !== undefined
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    // After the form closes, the button that opened it gets the focus.
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  const { createdAt, updatedAt } = comment
  const userName = authorName(comment)
  const edited = Date.parse(updatedAt) > Date.parse(createdAt)
  const time = moment(createdAt)
  return (
    <li tabIndex={-1} className="flex gap-3 py-4 outline-none">
      <Avatar name={userName} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-9 items-start gap-2">
          <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            <strong className="font-medium">{userName}</strong>
            <span className="block text-xs text-muted">
              <Time at={createdAt} />
              {edited && <span title={exactMoment(updatedAt)}> · {t`edited`}</span>}
            </span>
          </p>
          {!isEditing && (
            <span className="-mt-1 -mr-2 inline-flex">
              {onEdit && (
                <IconButton
                  ref={editButton}
                  label={t`Edit the comment by ${userName} from ${time}`}
                  tip={t`Edit`}
                  icon={<Pencil aria-hidden className="size-4" />}
                  onClick={onEdit}
                />
              )}
              {onDelete && (
                <IconButton
                  label={t`Delete the comment by ${userName} from ${time}`}
                  tip={t`Delete`}
                  isDanger
                  icon={<Trash2 aria-hidden className="size-4" />}
                  onClick={onDelete}
                />
              )}
            </span>
          )}
        </div>
        {isEditing ? <div className="mt-2">{form}</div> : <Text text={shownText(comment.comment)} />}
      </div>
    </li>
  )
}

function Text({ text }: { text: string }) {
  const [isExpanded, setExpanded] = useState(false)
  const isLong = text.length > LONG.characters || text.split('\n').length > LONG.lines
  return (
    <>
      <p
        className={cx(
          'mt-1 whitespace-pre-line [overflow-wrap:anywhere]',
          isLong && !isExpanded && 'line-clamp-6',
        )}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
          className="mt-1 min-h-6 rounded font-medium text-accent-text hover:underline touch:min-h-touch"
        >
          {isExpanded ? t`Show less` : t`Show full comment`}
        </button>
      )}
    </>
  )
}

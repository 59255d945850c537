import { plural, t } from '@lingui/core/macro'
import {
  ArchiveRestore,
  ChevronRight,
  Download,
  Eraser,
  LogIn,
  LogOut,
  type LucideIcon,
  Merge,
  Trash2,
  Undo2,
  Upload,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Change, HistoryEntry } from '~/core'
import { timeOfDay } from '~/lib/format'
import { Avatar } from '~/ui/Avatar'
import { cx } from '~/ui/cx'
import { Sentence } from '~/ui/Sentence'
import { Time } from '../Time'
import { actorName } from './actorName'
import { Changes } from './Changes'
import type { Describe } from './describe'
import { isUpdated } from './entries'

/** The icons of the actions. Creating and updating a record in a form have none. */
const marks: Record<string, LucideIcon> = {
  deleted: Trash2,
  declined: X,
  restored: ArchiveRestore,
  purged: Trash2,
  imported: Upload,
  exported: Download,
  erased: Eraser,
  signed_in: LogIn,
  signed_out: LogOut,
  reverted: Undo2,
  merged: Merge,
  unmerged: Undo2,
}

/** The CSS classes of a button beside the entry's time. */
export const entryButtonClass =
  '-my-1 h-8! px-2.5! max-md:h-touch! max-md:min-w-touch touch:h-touch! touch:min-w-touch print:hidden sm:opacity-0 sm:group-hover:opacity-100 sm:group-focus-within:opacity-100 touch:opacity-100 aria-expanded:opacity-100'

type Props = {
  entry: HistoryEntry
  /** Returns the entry's sentence. The arguments are placeholders for the actor's name and for `object`. */
  sentence: (actor: string, object: string) => string
  /** The element at the second placeholder of the sentence, such as a link to the record, if the sentence has one. */
  object?: ReactNode
  /** The changes of the entry; for a new record, the values that it was created with. */
  changes: Change[]
  describe: Describe
  /** Buttons beside the entry's time. */
  action?: ReactNode
  /** Shown below the changes. */
  children?: ReactNode
}

/** An entry of the history: who did what and when, and the changed values. */
export function HistoryItem({ entry, sentence, object, changes, describe, action, children }: Props) {
  const { at } = entry
  const name = actorName(entry.actor)
  const isUpdate = isUpdated(entry)
  const Mark = marks[entry.action]
  return (
    <li tabIndex={-1} className="group flex gap-3 py-2 outline-none">
      <span className="relative size-8 shrink-0">
        <Avatar name={name} />
        {Mark && (
          <span className="absolute -right-1.5 -bottom-1 rounded-full bg-card p-0.5 text-muted">
            <Mark aria-hidden className="size-3.5" />
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex min-h-8 flex-col justify-center sm:flex-row sm:items-center sm:justify-between sm:gap-4">
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <Sentence text={sentence}>
              <strong className="font-medium">{name}</strong>
              {object}
            </Sentence>
          </p>
          <span className="flex flex-wrap items-center justify-between gap-2 sm:shrink-0 sm:flex-row-reverse sm:flex-nowrap">
            <Time at={at} className="text-xs text-muted tabular-nums sm:text-sm">
              {timeOfDay(at)}
            </Time>
            {action && <span className="flex items-center">{action}</span>}
          </span>
        </div>
        {changes.length > 0 &&
          (isUpdate ? (
            <Changes isUpdate changes={changes} describe={describe} />
          ) : (
            <AllValues title={titleOf(entry.action, changes.length)} changes={changes} describe={describe} />
          ))}
        {children}
      </div>
    </li>
  )
}

/** Returns the title above the list of a new or deleted record's values. */
function titleOf(action: string, count: number) {
  if (action === 'created')
    return plural(count, { one: 'From the form, # field', other: 'From the form, # fields' })
  // Without a number, because the file may have other details, too, which the history does not record.
  if (action === 'imported') return t`From the file`
  return plural(count, { one: '# field', other: '# fields' })
}

/** The values of a new or deleted record, collapsed at first. */
function AllValues({ title, changes, describe }: Pick<Props, 'changes' | 'describe'> & { title: string }) {
  const [isExpanded, setExpanded] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-expanded={isExpanded}
        onClick={() => setExpanded(!isExpanded)}
        className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded text-muted hover:text-ink touch:min-h-touch print:hidden"
      >
        <ChevronRight
          aria-hidden
          className={cx(
            'size-4 transition-transform motion-reduce:transition-none',
            isExpanded && 'rotate-90',
          )}
        />
        {title}
      </button>
      {isExpanded && <Changes changes={changes} describe={describe} />}
    </>
  )
}

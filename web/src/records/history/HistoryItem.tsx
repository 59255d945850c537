import { plural, t } from '@lingui/core/macro'
import { ArchiveRestore, ChevronRight, type LucideIcon, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import type { Change, HistoryEntry } from '~/core'
import { exactMoment, timeOfDay } from '~/lib/format'
import { Avatar } from '~/ui/Avatar'
import { cx } from '~/ui/cx'
import { Sentence } from '~/ui/Sentence'
import { Changes, type FieldInfo } from './Changes'
import type { HistoryResource } from './useHistory'

/** The sentence of an entry about the whole record. `label` is that of the entry. */
const sentences: Record<HistoryResource, Record<string, (name: string, label: string) => string>> = {
  contacts: {
    created: name => t`${name} created this contact`,
    updated: name => t`${name} changed this contact`,
    deleted: name => t`${name} deleted this contact`,
    restored: name => t`${name} restored this contact`,
    purged: name => t`${name} permanently deleted this contact`,
    imported: (name, file) => t`${name} imported this contact from ${file}`,
  },
  customers: {
    created: name => t`${name} created this customer`,
    updated: name => t`${name} changed this customer`,
    deleted: name => t`${name} deleted this customer`,
    restored: name => t`${name} restored this customer`,
    purged: name => t`${name} permanently deleted this customer`,
  },
  invoices: {
    created: name => t`${name} created this invoice`,
    updated: name => t`${name} changed this invoice`,
    deleted: name => t`${name} deleted this invoice`,
    restored: name => t`${name} restored this invoice`,
    purged: name => t`${name} permanently deleted this invoice`,
  },
}

/** The marks of what adds and removes records other than by a form. */
const marks: Record<string, LucideIcon> = {
  deleted: Trash2,
  restored: ArchiveRestore,
  purged: Trash2,
  imported: Upload,
}

type Props = {
  resource: HistoryResource
  entry: HistoryEntry
  /** Those of the entry, or the first values of a new record. */
  changes: Change[]
  fields: FieldInfo
}

/** An entry of the history: who did what and when, and the changed values. */
export function HistoryItem({ resource, entry, changes, fields }: Props) {
  const { action, actor, at } = entry
  const isUpdate = action === 'updated'
  const Mark = marks[action]
  const text = (name: string) => {
    const [first] = changes
    const count = changes.length
    if (!isUpdate || !first) return sentences[resource][action]?.(name, entry.label) ?? name
    const label = fields.labelOf(first.field)
    if (count === 1) return t`${name} changed ${label}`
    return plural(count, { one: `${name} changed # field`, other: `${name} changed # fields` })
  }
  return (
    <li tabIndex={-1} className="flex gap-3 py-2 outline-none">
      <span className="relative size-8 shrink-0">
        <Avatar name={actor.name} />
        {Mark && (
          <span className="absolute -right-1.5 -bottom-1 rounded-full bg-card p-0.5 text-muted">
            <Mark aria-hidden className="size-3.5" />
          </span>
        )}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex min-h-8 flex-col justify-center sm:flex-row sm:items-center sm:justify-between sm:gap-4">
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <Sentence text={text}>
              <strong className="font-medium">{actor.name}</strong>
            </Sentence>
          </p>
          <time
            dateTime={at}
            title={exactMoment(at)}
            className="shrink-0 text-xs text-muted tabular-nums sm:text-sm"
          >
            {timeOfDay(at)}
          </time>
        </div>
        {changes.length > 0 &&
          (isUpdate ? (
            <Changes isUpdate changes={changes} fields={fields} />
          ) : (
            <AllValues title={titleOf(action, changes.length)} changes={changes} fields={fields} />
          ))}
      </div>
    </li>
  )
}

/** Returns the title of a new or deleted record's values. */
function titleOf(action: string, count: number) {
  if (action === 'created')
    return plural(count, { one: 'From the form, # field', other: 'From the form, # fields' })
  if (action === 'imported')
    return plural(count, { one: 'From the file, # field', other: 'From the file, # fields' })
  return plural(count, { one: '# field', other: '# fields' })
}

/** The values of a new or deleted record, collapsed at first. */
function AllValues({ title, changes, fields }: Pick<Props, 'changes' | 'fields'> & { title: string }) {
  const [isExpanded, setExpanded] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-expanded={isExpanded}
        onClick={() => setExpanded(!isExpanded)}
        className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded text-muted hover:text-ink touch:min-h-11"
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
      {isExpanded && <Changes changes={changes} fields={fields} />}
    </>
  )
}

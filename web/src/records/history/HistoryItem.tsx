import { plural, t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Change, HistoryEntry } from '~/core'
import { exactMoment, timeOfDay } from '~/lib/format'
import { Avatar } from '~/ui/Avatar'
import { cx } from '~/ui/cx'
import { Sentence } from '~/ui/Sentence'
import { Changes, type FieldInfo } from './Changes'
import type { HistoryResource } from './useHistory'

/** The sentence of an entry about the whole record. */
const sentences: Record<HistoryResource, Record<string, (name: string) => string>> = {
  contacts: {
    created: name => t`${name} created this contact`,
    updated: name => t`${name} changed this contact`,
    deleted: name => t`${name} deleted this contact`,
  },
  customers: {
    created: name => t`${name} created this customer`,
    updated: name => t`${name} changed this customer`,
    deleted: name => t`${name} deleted this customer`,
  },
  invoices: {
    created: name => t`${name} created this invoice`,
    updated: name => t`${name} changed this invoice`,
    deleted: name => t`${name} deleted this invoice`,
  },
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
  const text = (name: string) => {
    const [first] = changes
    const count = changes.length
    if (!isUpdate || !first) return sentences[resource][action]?.(name) ?? name
    const label = fields.labelOf(first.field)
    if (count === 1) return t`${name} changed ${label}`
    return plural(count, { one: `${name} changed # field`, other: `${name} changed # fields` })
  }
  return (
    <li tabIndex={-1} className="flex gap-3 py-2 outline-none">
      <Avatar name={actor.name} />
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
            <AllValues isNew={action === 'created'} changes={changes} fields={fields} />
          ))}
      </div>
    </li>
  )
}

/** The values of a new or deleted record, collapsed at first. */
function AllValues({ isNew, changes, fields }: Pick<Props, 'changes' | 'fields'> & { isNew: boolean }) {
  const [isExpanded, setExpanded] = useState(false)
  const count = changes.length
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
        {isNew
          ? plural(count, { one: 'From the form, # field', other: 'From the form, # fields' })
          : plural(count, { one: '# field', other: '# fields' })}
      </button>
      {isExpanded && <Changes changes={changes} fields={fields} />}
    </>
  )
}

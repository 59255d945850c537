import { plural, t } from '@lingui/core/macro'
import { Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { HistoryEntry, RevertResult } from '~/core'
import { messageIn } from '~/core/problem'
import { textOf } from '~/language'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { ErrorNotice } from '~/ui/Notice'
import { Changes } from './Changes'
import type { Describe } from './describe'
import type { EntryUndo } from './useEntryUndo'

/** The largest number of records that a panel names. */
const NAMED = 5

/** Asks what undoing an entry would do. */
export function UndoEntryButton({ undo, entry }: { undo: EntryUndo; entry: HistoryEntry }) {
  if (!undo.mayUndo) return null
  const isOpen = undo.found !== undefined
  return (
    <Button
      ref={undo.button}
      kind="ghost"
      busy={undo.isBusy}
      className="-my-1 h-8 px-2.5 sm:opacity-0 sm:group-hover:opacity-100 sm:group-focus-within:opacity-100 touch:opacity-100 aria-expanded:opacity-100"
      aria-expanded={isOpen}
      onClick={() => (isOpen ? undo.close() : void undo.open())}
    >
      <Undo2 aria-hidden className="size-4" />
      {entry.action === 'deleted' ? t`Restore…` : t`Undo…`}
    </Button>
  )
}

type Props = { undo: EntryUndo; entry: HistoryEntry; describe: Describe }

/** What undoing an entry would do, and the buttons to do it. */
export function UndoEntryPanel({ undo, entry, describe }: Props) {
  if (!undo.found) return <ErrorNotice message={undo.error} className="mt-2" />
  return <Panel undo={undo} entry={entry} describe={describe} found={undo.found} />
}

function Panel({ undo, entry, describe, found }: Props & { found: RevertResult }) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isComplete, setComplete] = useState(false)
  useEffect(() => heading.current?.focus(), [])
  const isRestoration = entry.action === 'deleted'
  const isOne = typeof entry.records !== 'number'
  const hasWork = found.reverted > 0 || (isComplete && found.kept.length > 0)
  const kept = found.kept[0]?.fields ?? []
  const fields = found.fields.length + (isComplete ? kept.length : 0)
  return (
    <section
      aria-labelledby={id}
      className="mt-2 rounded-lg border border-line bg-subtle p-4"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        undo.close()
      }}
    >
      <h4 ref={heading} id={id} tabIndex={-1} className="flex items-center gap-2 font-semibold outline-none">
        <Undo2 aria-hidden className="size-4" />
        {titleOf(isRestoration, isOne)}
      </h4>
      <div className="mt-2 grid gap-2">
        {isRestoration && <p>{restored(found.reverted, entry, isOne)}</p>}
        {!isRestoration && isOne && <Fields found={found} entry={entry} describe={describe} />}
        {!isRestoration && !isOne && <Records found={found} />}
        {found.kept.length > 0 && (
          <Checkbox
            checked={isComplete}
            onChange={event => setComplete(event.target.checked)}
            label={isOne ? tooFields(kept.length) : tooRecords(found.kept.length)}
          />
        )}
        <ErrorNotice message={undo.error} />
      </div>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button onClick={undo.close}>{t`Not now`}</Button>
        <Button
          kind="primary"
          busy={undo.isBusy}
          ariaDisabled={!hasWork}
          onClick={() => void undo.confirm(isComplete)}
        >
          {isRestoration ? t`Restore` : isOne ? undoFields(fields) : t`Undo`}
        </Button>
      </div>
    </section>
  )
}

function titleOf(isRestoration: boolean, isOne: boolean): string {
  if (isRestoration) return isOne ? t`Restore this record?` : t`Restore these records?`
  return isOne ? t`Undo this change?` : t`Undo this bulk action?`
}

function restored(count: number, { label }: HistoryEntry, isOne: boolean): string {
  if (isOne && label) return t`${label} comes back from the trash.`
  return plural(count, {
    one: '# record comes back from the trash.',
    other: '# records come back from the trash.',
  })
}

const undoFields = (count: number) => plural(count, { one: 'Undo # field', other: 'Undo # fields' })
const tooFields = (count: number) =>
  plural(count, { one: 'Undo this field too', other: 'Undo these fields too' })
const tooRecords = (count: number) =>
  plural(count, { one: 'Undo this record too', other: 'Undo these records too' })

/** The fields of one record: those that get their old values, and those that were changed again. */
function Fields({ found, entry, describe }: Omit<Props, 'undo'> & { found: RevertResult }) {
  const changes = entry.changes.filter(({ field }) => found.fields.includes(field))
  const kept = found.kept[0]?.fields ?? []
  const names = kept.map(field => describe(field).label).join(', ')
  const isUnknown = entry.changes.some(({ before, after }) => (before ?? '') === '' && (after ?? '') === '')
  const refused = found.refused[0]
  const why = refused && messageIn(refused)
  return (
    <>
      {changes.length > 0 && (
        <>
          <p>{t`These fields get their old values back:`}</p>
          <Changes
            isUpdate
            describe={describe}
            changes={changes.map(({ field, before, after }) => ({ field, before: after, after: before }))}
          />
        </>
      )}
      {kept.length > 0 && (
        <p>
          {plural(kept.length, {
            one: `${names} was changed again since and is kept.`,
            other: `${names} were changed again since and are kept.`,
          })}
        </p>
      )}
      {isUnknown && <p>{t`Values that are not recorded can't come back.`}</p>}
      {why && <p>{textOf(why)}</p>}
      {changes.length === 0 && kept.length === 0 && !why && (
        <p>{t`There is nothing to undo: the record has the old values already.`}</p>
      )}
    </>
  )
}

/** The records of a bulk action: how many get their old values, and which don't, and why. */
function Records({ found: { reverted, kept, refused } }: { found: RevertResult }) {
  return (
    <>
      <p>
        {plural(reverted, {
          one: '# record gets its old values back.',
          other: '# records get their old values back.',
        })}
      </p>
      {kept.length > 0 && (
        <>
          <p>
            {plural(kept.length, {
              one: '# record has a field that was changed again since and is kept:',
              other: '# records have fields that were changed again since and are kept:',
            })}
          </p>
          <Names count={kept.length}>{kept.slice(0, NAMED).map(({ id, label }) => [id, label])}</Names>
        </>
      )}
      {refused.length > 0 && (
        <>
          <p>
            {plural(refused.length, {
              one: "# record can't be undone:",
              other: "# records can't be undone:",
            })}
          </p>
          <Names count={refused.length}>
            {refused.slice(0, NAMED).map(each => {
              const why = messageIn(each)
              return [each.id, why ? `${each.label}: ${textOf(why)}` : each.label]
            })}
          </Names>
        </>
      )}
    </>
  )
}

/** Names by their keys, and how many more there are. */
function Names({ count, children }: { count: number; children: [string, ReactNode][] }) {
  const more = count - children.length
  return (
    <ul className="list-disc pl-5 [overflow-wrap:anywhere]">
      {children.map(([key, name]) => (
        <li key={key}>{name}</li>
      ))}
      {more > 0 && <li>{plural(more, { one: '# more', other: '# more' })}</li>}
    </ul>
  )
}

import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { HistoryEntry } from '~/core'
import { paths } from '~/lib/paths'
import type { Describe } from '~/records/history/describe'
import { UndoEntryButton, UndoEntryPanel } from '~/records/history/EntryUndo'
import { HistoryItem } from '~/records/history/HistoryItem'
import { useEntryUndo } from '~/records/history/useEntryUndo'
import { formatNames } from './names'
import { historyAddress } from './query'
import { sentenceOf } from './sentences'

const linkClass = 'rounded font-medium text-accent-text hover:underline'

type Props = {
  entry: HistoryEntry
  describe: Describe
  /** Returns the path of a record's page; undefined if the user can't open it. */
  pathOf: (resource: string, id: string) => string | undefined
}

/** An entry of the corporation's history. */
export function Entry({ entry, describe, pathOf }: Props) {
  const { records } = entry
  const undo = useEntryUndo(entry)
  return (
    <HistoryItem
      action={<UndoEntryButton undo={undo} entry={entry} />}
      entry={entry}
      sentence={(actor, object) => sentenceOf(entry, describe, actor, object)}
      object={<EntryObject entry={entry} pathOf={pathOf} />}
      changes={entry.changes}
      describe={describe}
    >
      {records ? <RecordsLink entry={entry} records={records} /> : null}
      <UndoEntryPanel undo={undo} entry={entry} describe={describe} heading="h3" />
    </HistoryItem>
  )
}

/** The name of what the entry is about. A link if it is a record whose page the user can open. */
function EntryObject({ entry, pathOf }: Omit<Props, 'describe'>) {
  const { action, resource, record_id, label } = entry
  if (action === 'signed_in' || action === 'signed_out') return label || t`an unknown device`
  if (action === 'exported') return formatNames[label] ?? label
  const name = label || t`(no name)`
  const isDeleted = action === 'deleted' || action === 'purged'
  const path = record_id && !isDeleted ? pathOf(resource, record_id) : undefined
  if (!path) return <span className="font-medium">{name}</span>
  return (
    <Link to={path} className={linkClass}>
      {name}
    </Link>
  )
}

/** A link to the entries of a bulk action, or to the imported contacts, which have no entries of their own. */
function RecordsLink({ entry, records }: { entry: HistoryEntry; records: number }) {
  const { action, history_id } = entry
  const link = (to: string, text: ReactNode) => (
    <Link to={to} className={`inline-flex min-h-6 items-center touch:min-h-11 ${linkClass}`}>
      {text}
    </Link>
  )
  if (action === 'imported') return link(paths.importedContacts(history_id), t`Show the imported contacts`)
  return link(
    historyAddress({ batch: history_id }),
    plural(records, { one: 'Show the change', other: 'Show the # changes' }),
  )
}

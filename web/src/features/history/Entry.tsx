import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { HistoryEntry } from '~/core'
import { paths } from '~/lib/paths'
import type { Describe } from '~/records/history/describe'
import { EntryObject } from '~/records/history/EntryObject'
import { UndoEntryButton, UndoEntryPanel } from '~/records/history/EntryUndo'
import { sentenceOf } from '~/records/history/entrySentences'
import { HistoryItem } from '~/records/history/HistoryItem'
import { useEntryUndo } from '~/records/history/useEntryUndo'
import type { PathOf } from '~/records/history/useRecordPaths'
import { historyAddress } from './query'

const linkClass = 'rounded font-medium text-accent-text hover:underline'

type Props = {
  entry: HistoryEntry
  describe: Describe
  pathOf: PathOf
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

/** A link to the entries of a bulk action, or to the imported contacts, which have no entries of their own. */
function RecordsLink({ entry, records }: { entry: HistoryEntry; records: number }) {
  const { action, history_id } = entry
  const link = (to: string, text: ReactNode) => (
    <Link to={to} className={`inline-flex min-h-6 items-center touch:min-h-touch ${linkClass}`}>
      {text}
    </Link>
  )
  if (action === 'imported') return link(paths.importedContacts(history_id), t`Show the imported contacts`)
  return link(
    historyAddress({ batch: history_id }),
    plural(records, { one: 'Show the change', other: 'Show the # changes' }),
  )
}

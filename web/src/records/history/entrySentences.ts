import { plural, t } from '@lingui/core/macro'
import type { HistoryEntry } from '~/core'
import type { Words } from '../kind'
import { kinds } from '../kinds'
import { actionSentences } from './actionSentences'
import type { Describe } from './describe'
import { updateSentence } from './updates'

/** Returns a sentence from the actor's name, the object, which usually is the record's name, and the nouns for it. */
type Write = (name: string, object: string, words: Words) => string

/** The sentences of actions whose object isn't a record. */
const sentences: Record<string, Write> = {
  exported: (name, format, { many }) => t`${name} exported ${many} as ${format}`,
  erased: name => t`${name} erased a person's data`,
  signed_in: (name, device) => t`${name} signed in with ${device}`,
  signed_out: (name, device) => t`${name} signed out of ${device}`,
  imported: (name, file, { many: object }) => t`${name} imported ${object} from ${file}`,
}

/** The sentences of bulk actions that differ from those of the same action on one record. */
const bulkSentences: Record<string, (name: string, records: string, count: number) => string> = {
  reverted: (name, records, count) =>
    plural(count, {
      one: `${name} undid the change to ${records}`,
      other: `${name} undid the changes to ${records}`,
    }),
  merged: (name, records) => t`${name} merged ${records}`,
  unmerged: (name, records) => t`${name} undid the merge of ${records}`,
}

/** The sentences of undoing an import, and of undoing that. `file` is the import's file. */
const importSentences: Record<string, (name: string, records: string, file: string) => string> = {
  deleted: (name, records, file) => t`${name} undid the import of ${records} from ${file}`,
  restored: (name, records, file) => t`${name} restored ${records} imported from ${file}`,
}

/** The sentences of undoings that are still running. They have no number of records, because it grows. */
const runningSentences: Record<string, (name: string, many: string, file: string) => string> = {
  deleted: (name, _, file) => t`${name} is undoing the import of ${file}`,
  restored: (name, many) => t`${name} is restoring ${many}`,
}

/** Returns the record with its noun, such as "the contact Maja". */
const withNoun = (object: string, { definite, named = definite }: Words) => t`the ${named} ${object}`

function bulkSentence(
  { action, label, history_id, undoing_id }: HistoryEntry,
  words: Words,
  count: number,
  name: string,
  file: string,
) {
  const { one, many } = words
  const records = plural(count, { one: `# ${one}`, other: `# ${many}` })
  return (
    (undoing_id === history_id && runningSentences[action]?.(name, many, file)) ||
    (label && importSentences[action]?.(name, records, file)) ||
    bulkSentences[action]?.(name, records, count) ||
    actionSentences[action]?.(name, records, words, file)
  )
}

/** Returns the sentence of an entry. `name` and `object` are placeholders for the actor's name and the object. */
export function sentenceOf(
  entry: HistoryEntry,
  describe: Describe | undefined,
  name: string,
  object: string,
): string {
  const { resource, action, records } = entry
  const words = kinds.get(resource)?.words
  if (typeof records === 'number') return (words && bulkSentence(entry, words, records, name, object)) ?? name
  // An import has no kind of record of its own.
  if (resource === 'contacts.imports' && action === 'deleted')
    return t`${name} deleted the import of ${object}`
  // The name of an invoice's customer alone would read as if the customer had been changed.
  const record = words?.named ? withNoun(object, words) : object
  if (action === 'reverted') return t`${name} undid a change to ${record}`
  // The export of one person's data has the format "zip"; exports of lists are CSV or Excel.
  if (action === 'exported' && entry.label === 'zip') return t`${name} exported a person's data`
  if (action === 'updated') return updateSentence(entry, describe, name, record)
  if (!words) return name
  const isMerge = action === 'merged' || action === 'unmerged'
  return (
    sentences[action]?.(name, object, words) ??
    actionSentences[action]?.(name, isMerge ? object : withNoun(object, words), words, '') ??
    name
  )
}

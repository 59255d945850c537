import { plural, t } from '@lingui/core/macro'
import type { Change, HistoryEntry } from '~/core'
import type { Words } from '../kind'
import { actionSentences } from './actionSentences'
import type { Describe } from './describe'

/** Returns the sentence of an entry, as the page of its record shows it. `name` is the actor's name. */
export function sentenceOf(
  words: Words,
  { action, label }: HistoryEntry,
  changes: Change[],
  describe: Describe,
  name: string,
): string {
  const [first] = changes
  if (action === 'reverted') return t`${name} undid an earlier change`
  if (action !== 'updated' || !first) {
    const { definite } = words
    const isMerge = action === 'merged' || action === 'unmerged'
    const record = isMerge ? t`this one` : t`this ${definite}`
    return actionSentences[action]?.(name, record, words, label) ?? name
  }
  const count = changes.length
  if (count === 1 && first.field === 'comments') return commentSentence(first, name)
  const field = describe(first.field).label
  if (count === 1) return t`${name} changed ${field}`
  return plural(count, { one: `${name} changed # field`, other: `${name} changed # fields` })
}

function commentSentence({ before, after }: Change, name: string): string {
  if (!before) return t`${name} commented`
  return after ? t`${name} changed a comment` : t`${name} deleted a comment`
}

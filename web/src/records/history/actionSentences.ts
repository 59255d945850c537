import { t } from '@lingui/core/macro'
import type { Words } from '../kind'

/**
 * Returns a sentence from the actor's name and what the action was done to: a record, such as "the contact Maja", or
 * several, such as "3 contacts". `file` is the file of an import.
 */
type Write = (name: string, object: string, words: Words, file: string) => string

/** The sentences of the actions on records. */
export const actionSentences: Record<string, Write> = {
  created: (name, object) => t`${name} created ${object}`,
  updated: (name, object) => t`${name} changed ${object}`,
  deleted: (name, object) => t`${name} deleted ${object}`,
  declined: (name, object) => t`${name} declined the sign-up of ${object}`,
  restored: (name, object) => t`${name} restored ${object}`,
  purged: (name, object) => t`${name} permanently deleted ${object}`,
  imported: (name, object, _, file) => t`${name} imported ${object} from ${file}`,
  merged: (name, object, { many }) => t`${name} merged other ${many} into ${object}`,
  unmerged: (name, object, { many }) => t`${name} undid the merge of other ${many} into ${object}`,
}

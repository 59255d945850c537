import { plural, t } from '@lingui/core/macro'
import type { ImportFigures, ImportStatus } from '~/core'
import { count } from './format'

type State = { kind: 'quiet' | 'success' | 'warning' | 'danger'; word: string }
const states: Record<ImportStatus, State> = {
  pending: { kind: 'quiet', word: t`Waiting` },
  processing: { kind: 'quiet', word: t`Importing` },
  completed: { kind: 'success', word: t`Completed` },
  failed: { kind: 'danger', word: t`Failed` },
  cancelled: { kind: 'quiet', word: t`Cancelled` },
}

type Ended = Pick<ImportFigures, 'status' | 'failedRecords'>

/** Returns whether an import was completed, but without some of its rows. */
export const hasFailedRows = ({ status, failedRecords }: Ended) => status === 'completed' && failedRecords > 0

/** Returns the badge of an import: its kind and its text. */
export const badgeOf = (file: Ended): State =>
  hasFailedRows(file) ? { ...states[file.status], kind: 'warning' } : states[file.status]

type Counts = Pick<ImportFigures, 'totalRecords' | 'successRecords' | 'failedRecords'>

/** Returns how many rows an import has imported, and how many failed, if any. */
export function outcomeOf({ totalRecords, successRecords, failedRecords }: Counts) {
  const imported = count(successRecords)
  const failed = count(failedRecords)
  return failedRecords > 0
    ? plural(totalRecords, {
        one: `${imported} of # row imported, ${failed} failed`,
        other: `${imported} of # rows imported, ${failed} failed`,
      })
    : plural(totalRecords, { one: `${imported} of # row imported`, other: `${imported} of # rows imported` })
}

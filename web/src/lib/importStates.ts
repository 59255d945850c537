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

/** Returns whether an import has not ended yet. */
export const isRunningImport = ({ status }: Pick<ImportFigures, 'status'>) =>
  status === 'pending' || status === 'processing'

type Ended = Pick<ImportFigures, 'status' | 'failedRecords'>

/** Returns whether an import was completed, but without some of its rows. */
export const hasFailedRows = ({ status, failedRecords }: Ended) => status === 'completed' && failedRecords > 0

/** Returns the badge of an import: its kind and its text. */
export const badgeOf = (file: Ended): State =>
  hasFailedRows(file) ? { ...states[file.status], kind: 'warning' } : states[file.status]

/** Returns the number of rows in an import's file, with those that the user left out; 0 before they are counted. */
export const fileRows = ({
  totalRecords,
  leftOutRecords,
}: Pick<ImportFigures, 'totalRecords' | 'leftOutRecords'>) => totalRecords + leftOutRecords

type Counts = Pick<ImportFigures, 'totalRecords' | 'successRecords' | 'failedRecords' | 'leftOutRecords'>

/**
 * Returns how many rows of the file an import has imported, how many have problems, and how many the user left out. The
 * last two are only named if there are any.
 */
export function outcomeOf(file: Counts) {
  const imported = count(file.successRecords)
  const failed = count(file.failedRecords)
  const leftOut = count(file.leftOutRecords)
  const rows = fileRows(file)
  return [
    plural(rows, { one: `${imported} of # row imported`, other: `${imported} of # rows imported` }),
    file.failedRecords > 0 && t`${failed} with problems`,
    file.leftOutRecords > 0 && t`${leftOut} left out by hand`,
  ]
    .filter(Boolean)
    .join(', ')
}

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
 * Returns how many rows of the file an import has imported and how many it has left out, if any: those with problems and
 * those that the user left out, as the wizard announced before.
 */
export function outcomeOf(file: Counts) {
  const { successRecords, failedRecords, leftOutRecords } = file
  const imported = count(successRecords)
  const out = count(failedRecords + leftOutRecords)
  const rows = fileRows(file)
  return failedRecords + leftOutRecords > 0
    ? plural(rows, {
        one: `${imported} of # row imported, ${out} left out`,
        other: `${imported} of # rows imported, ${out} left out`,
      })
    : plural(rows, { one: `${imported} of # row imported`, other: `${imported} of # rows imported` })
}

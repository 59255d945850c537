import { plural, t } from '@lingui/core/macro'
import type { ImportFigures, ImportStatus } from '~/core'
import { count } from './format'

/** The badge (its kind and its text) of each status of an import job. */
export const importStates: Record<ImportStatus, { kind: 'quiet' | 'success' | 'danger'; word: string }> = {
  pending: { kind: 'quiet', word: t`Waiting` },
  processing: { kind: 'quiet', word: t`Importing` },
  completed: { kind: 'success', word: t`Completed` },
  failed: { kind: 'danger', word: t`Failed` },
  cancelled: { kind: 'quiet', word: t`Cancelled` },
}

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

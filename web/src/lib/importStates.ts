import { t } from '@lingui/core/macro'
import type { ImportStatus } from '~/core'

/** The badge (its kind and its text) of each status of an import job. */
export const importStates: Record<ImportStatus, { kind: 'quiet' | 'success' | 'danger'; word: string }> = {
  pending: { kind: 'quiet', word: t`Waiting` },
  processing: { kind: 'quiet', word: t`Importing` },
  completed: { kind: 'success', word: t`Completed` },
  failed: { kind: 'danger', word: t`Failed` },
  cancelled: { kind: 'quiet', word: t`Cancelled` },
}

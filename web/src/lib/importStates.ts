import type { ImportStatus } from '~/core'

/** How far an import is, in a word. */
export const importStates: Record<ImportStatus, { kind: 'quiet' | 'success' | 'danger'; word: string }> = {
  pending: { kind: 'quiet', word: 'Waiting' },
  processing: { kind: 'quiet', word: 'Importing' },
  completed: { kind: 'success', word: 'Completed' },
  failed: { kind: 'danger', word: 'Failed' },
  cancelled: { kind: 'quiet', word: 'Cancelled' },
}

import type { ImportSession } from '~/core'
import { network } from './network'
import { paginate } from './records'

/** Returns an import job of 1,000 rows. */
export const importSession = (more: Partial<ImportSession> = {}): ImportSession => ({
  sessionId: 's1',
  fileName: 'kunder.csv',
  status: 'completed',
  totalRecords: 1000,
  processedRecords: 1000,
  successRecords: 1000,
  failedRecords: 0,
  hasContacts: more.successRecords !== 0,
  hasUnboundContacts: more.hasContacts ?? more.successRecords !== 0,
  fileSize: 1_700_000,
  leftOutRecords: 0,
  duplicateRecords: 0,
  differs: false,
  userId: 'u1',
  userName: 'Ada Lind',
  createdAt: '2026-11-20T08:00:00Z',
  ...more,
})

/** Makes the fake server respond with pages of these import jobs. */
export function serveImports(...sessions: ImportSession[]) {
  network.on('GET /api/contacts/imports', call => {
    const { data, totalItems, totalPages } = paginate(sessions, call)
    const pagination = { currentPage: Number(call.query.get('page')), totalPages, totalImports: totalItems }
    return { body: { success: true, data, pagination } }
  })
}

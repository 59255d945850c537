import type { ImportSession } from '~/core'
import { network } from './network'

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
  network.on('GET /api/contacts/imports', ({ query }) => {
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
    const data = sessions.slice((page - 1) * limit, page * limit)
    const totalPages = Math.ceil(sessions.length / limit)
    const pagination = { currentPage: page, totalPages, totalImports: sessions.length }
    return { body: { success: true, data, pagination } }
  })
}

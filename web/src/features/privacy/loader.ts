import { type Certificate, type Core, type ListPage, loadCore } from '~/core'
import { settle } from '~/lib/load'

/** The number of certificates per page: the largest page that the server returns. */
export const LIMIT = 100

/** Returns a page of certificates, newest first. */
export const loadCertificates = async (core: Core, page: number, signal?: AbortSignal) => {
  const path = `/api/privacy/certificates?page=${page}&limit=${LIMIT}`
  return (await core.sendJson('GET', path, undefined, signal)) as ListPage<Certificate>
}

/** Requests the newest certificates. Returns the promise without awaiting it. */
export async function privacyLoader() {
  return { promise: settle(loadCertificates(await loadCore(), 1)) }
}

import { type CertificateList, type Core, loadCore } from '~/core'
import { settle } from '~/lib/load'

/** The server's largest page. */
export const LIMIT = 100

/** Returns a page of certificates, newest first. */
export const loadCertificates = async (core: Core, page: number, signal?: AbortSignal) => {
  const path = `/api/privacy/certificates?page=${page}&limit=${LIMIT}`
  return (await core.sendJson('GET', path, undefined, signal)) as CertificateList
}

/** Requests the newest certificates. It doesn't wait for the response. */
export async function privacyLoader() {
  return { promise: settle(loadCertificates(await loadCore(), 1)) }
}

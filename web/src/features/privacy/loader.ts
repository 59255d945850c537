import { type CertificateList, loadCore } from '~/core'
import { settle } from '~/lib/load'

/** The certificates on the page: the newest. */
const NEWEST = 100

/** Requests the newest certificates. It doesn't wait for the response. */
export async function privacyLoader() {
  const core = await loadCore()
  const list = core.sendJson('GET', `/api/privacy/certificates?limit=${NEWEST}`, undefined)
  return { promise: settle(list as Promise<CertificateList>) }
}

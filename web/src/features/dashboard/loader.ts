import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { withConnection } from '~/records/loaders'

/**
 * Requests the dashboard's data. Returns the promise without awaiting it, so that the page renders immediately, and
 * `load`, which requests the data again.
 */
export async function dashboardLoader() {
  const core = await loadCore()
  const load = () => settle(core.getDashboard())
  return { promise: load().then(withConnection), load }
}

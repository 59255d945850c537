import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { withConnection } from '~/records/loaders'

/** Requests the dashboard's data. Returns the promise without awaiting it, so that the page renders immediately. */
export async function dashboardLoader() {
  const core = await loadCore()
  return { promise: settle(core.getDashboard()).then(withConnection) }
}

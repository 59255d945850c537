import { loadCore } from '~/core'
import { settle } from '~/lib/load'

/** Loads the dashboard. Returns the pending promise, so that the page renders immediately. */
export async function dashboardLoader() {
  const core = await loadCore()
  return { promise: settle(core.getDashboard()) }
}

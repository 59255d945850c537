import { loadCore } from '~/core'
import { settle } from '~/lib/load'

/**
 * Loads the corporation's modules and the contact person. Returns the pending promise, so that the page renders
 * immediately.
 */
export async function subscriptionsLoader() {
  const core = await loadCore()
  return { promise: settle(core.getAllowedResources()) }
}

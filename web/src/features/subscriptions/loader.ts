import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { localizeResource } from '~/lib/resources'

/**
 * Requests the corporation's modules and the contact person. Returns the promise without awaiting it, so that the page
 * renders immediately.
 */
export async function subscriptionsLoader() {
  const core = await loadCore()
  const load = async () => {
    const allowed = await core.getAllowedResources()
    return {
      ...allowed,
      data: allowed.data.map(localizeResource),
      others: allowed.others.map(localizeResource),
    }
  }
  return { promise: settle(load()) }
}

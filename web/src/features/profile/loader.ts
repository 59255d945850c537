import { loadCore } from '~/core'
import { settle } from '~/lib/load'

/** Loads the profile and theme from the server, because another device may have changed them. */
export async function settingsLoader() {
  const core = await loadCore()
  return { promise: settle(Promise.all([core.getProfile(), core.getTheme()])) }
}

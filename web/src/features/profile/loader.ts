import { loadCore } from '~/core'
import { settle } from '~/lib/load'

/** Requests the profile and theme, instead of using the session's, because another device may have changed them. */
export async function settingsLoader() {
  const core = await loadCore()
  return { promise: settle(Promise.all([core.getProfile(), core.getTheme()])) }
}

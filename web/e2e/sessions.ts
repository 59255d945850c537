import { renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { accounts, createLock, type SharedUser, sessionOf, sharedUsers, signInInNewBrowser } from './accounts'
import { poll } from './poll'

/**
 * After this age, in milliseconds, the stored sessions are renewed. Their access tokens are valid for 15 minutes, and a
 * test takes at most 3 minutes with its retry. They must not expire: the app in one test would then use the refresh
 * token up, and so end the session for all other tests.
 */
const RENEWED_AFTER = 9 * 60_000

/** Signs in a user and stores the session for all tests. */
export async function storeSession(browser: Browser, baseURL: string | undefined, who: SharedUser) {
  const page = await signInInNewBrowser(browser, baseURL, accounts[who])
  // Renamed, so that no test reads half a file.
  const written = `${sessionOf(who)}.new`
  await page.context().storageState({ path: written })
  await page.context().close()
  renameSync(written, sessionOf(who))
}

/** Returns whether a stored session is old; false if there is none yet. */
const isOld = (who: SharedUser) => {
  const stored = statSync(sessionOf(who), { throwIfNoEntry: false })
  return stored !== undefined && Date.now() - stored.mtimeMs > RENEWED_AFTER
}

/** Signs in the users of the stored sessions again, if these are old. */
export async function renewSessions(browser: Browser, baseURL: string | undefined) {
  if (!sharedUsers.some(isOld)) return
  const lock = join(process.env.E2E_DATA_DIR ?? '', 'renewing-sessions')
  await poll('the sessions are not being renewed', () => createLock(lock))
  try {
    await Promise.all(sharedUsers.filter(isOld).map(who => storeSession(browser, baseURL, who)))
  } finally {
    rmSync(lock, { force: true })
  }
}

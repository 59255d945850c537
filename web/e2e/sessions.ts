import { renameSync, statSync } from 'node:fs'
import type { Browser } from '@playwright/test'
import { accounts, type SharedUser, sessionOf, sharedUsers, signInInNewBrowser, withLock } from './accounts'

/**
 * After this age, in milliseconds, the stored sessions are renewed. The app would refresh a session after 14 minutes,
 * which uses up its refresh token, so the next test with the stored one would end the session. A test takes at most 5
 * minutes.
 */
const RENEWED_AFTER = 7 * 60_000

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

/**
 * Signs in the users of the stored sessions again, if these are old. `own` is the path of the session that the next test
 * uses. Some tests change the password of `broker`, so that user signs in again only before a test of its own.
 */
export async function renewSessions(browser: Browser, baseURL: string | undefined, own: unknown) {
  const isDue = (who: SharedUser) => isOld(who) && (who !== 'broker' || own === sessionOf(who))
  if (!sharedUsers.some(isDue)) return
  await withLock('renewing-sessions', 'no other test renews the sessions', () =>
    Promise.all(sharedUsers.filter(isDue).map(who => storeSession(browser, baseURL, who))),
  )
}

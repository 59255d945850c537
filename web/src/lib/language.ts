import { core, type Profile } from '~/core'
import { type Language, language, languages, opened, reloadPage, storeLanguage } from '~/language'

/** The language chosen on this device, until the server has stored it. */
const PENDING = 'untoldLanguage'
type Choice = { user: string; language: Language }

function readPendingLanguage(user: string): Language | undefined {
  const stored = localStorage.getItem(PENDING)
  const choice: Choice | undefined = stored === null ? undefined : JSON.parse(stored)
  return choice?.user === user ? choice.language : undefined
}

/**
 * Switches the language by reloading the page. Drafts are kept. The server is informed after the reload. Without a
 * user, the choice applies to this device until a user with a language of their own signs in.
 */
export function switchLanguage(chosen: Language, user?: string) {
  if (chosen === language) return
  if (user) localStorage.setItem(PENDING, JSON.stringify({ user, language: chosen } satisfies Choice))
  storeLanguage(chosen)
  reloadPage()
}

/**
 * Applies the language of the user who signed in. If it differs from the page's language, reloads `address` and never
 * returns. Users without a choice keep the device's language.
 */
export async function applyUserLanguage(profile: Profile, address: string) {
  const wanted = readPendingLanguage(profile.id) ?? profile.language
  if (!wanted || wanted === opened || languages.every(({ value }) => value !== wanted)) return
  storeLanguage(wanted)
  location.replace(address)
  await new Promise(() => undefined)
}

/**
 * Stores the user's language choice on the server, if that is still pending. A failure is retried when the app is next
 * loaded or the user next signs in.
 */
export async function syncLanguage(user: string) {
  const pending = readPendingLanguage(user)
  if (!pending) return
  await core.setLanguage({ language: pending })
  // Another tab may have changed it meanwhile.
  if (readPendingLanguage(user) === pending) localStorage.removeItem(PENDING)
}

import { core, type Profile } from '~/core'
import { type Language, language, languages, openAnew, opened, rememberLanguage } from '~/language'

/** The language chosen on this device, until the server has stored it. */
const UNTOLD = 'untoldLanguage'
type Choice = { user: string; language: Language }

function untoldOf(user: string): Language | undefined {
  const kept = localStorage.getItem(UNTOLD)
  const choice: Choice | undefined = kept === null ? undefined : JSON.parse(kept)
  return choice?.user === user ? choice.language : undefined
}

/**
 * Switches the language by reloading the page. Drafts are kept. The server is informed after the reload. Without a
 * user, the choice applies to this device until a user with a language of their own signs in.
 */
export function chooseLanguage(chosen: Language, user?: string) {
  if (chosen === language) return
  if (user) localStorage.setItem(UNTOLD, JSON.stringify({ user, language: chosen } satisfies Choice))
  rememberLanguage(chosen)
  openAnew()
}

/**
 * Applies the language of the user who signed in. If it differs from the page's language, reloads `address` and never
 * returns. Users without a choice keep the device's language.
 */
export async function followLanguage(profile: Profile, address: string) {
  const theirs = untoldOf(profile.id) ?? profile.language
  if (!theirs || theirs === opened || languages.every(({ value }) => value !== theirs)) return
  rememberLanguage(theirs)
  location.replace(address)
  await new Promise(() => undefined)
}

/**
 * Stores the user's language choice on the server, if that is still pending. A failure is retried at the next
 * sign-in.
 */
export async function tellLanguage(user: string) {
  const untold = untoldOf(user)
  if (!untold) return
  await core.setLanguage({ language: untold })
  // Another tab may have changed it meanwhile.
  if (untoldOf(user) === untold) localStorage.removeItem(UNTOLD)
}

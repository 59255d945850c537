import { core, type Profile } from '~/core'
import { type Language, language, languages, openAnew, opened, rememberLanguage } from '~/language'

/** What somebody chose on this device, until the server knows of it too. */
const UNTOLD = 'untoldLanguage'
type Choice = { user: string; language: Language }

function untoldOf(user: string): Language | undefined {
  const kept = localStorage.getItem(UNTOLD)
  const choice: Choice | undefined = kept === null ? undefined : JSON.parse(kept)
  return choice?.user === user ? choice.language : undefined
}

/**
 * Says everything in this language from now on. The page opens anew in it, what is typed is kept, as over any reload, and
 * the server is told once that has happened. Without a user it is this device's language, until somebody signs in who has one.
 */
export function chooseLanguage(chosen: Language, user?: string) {
  if (chosen === language) return
  if (user) localStorage.setItem(UNTOLD, JSON.stringify({ user, language: chosen } satisfies Choice))
  rememberLanguage(chosen)
  openAnew()
}

/**
 * Somebody came in, at this address. If they chose another language than that of this page, it opens anew in theirs, and
 * nothing goes on meanwhile; whoever never chose one keeps the device's.
 */
export async function followLanguage(profile: Profile, address: string) {
  const theirs = untoldOf(profile.id) ?? profile.language
  if (!theirs || theirs === opened || languages.every(({ value }) => value !== theirs)) return
  rememberLanguage(theirs)
  location.replace(address)
  await new Promise(() => undefined)
}

/** Tells the server what this person chose here, if it doesn't know yet. What fails is told again when they next come in. */
export async function tellLanguage(user: string) {
  const untold = untoldOf(user)
  if (!untold) return
  await core.setLanguage({ language: untold })
  // Another tab may have chosen anew.
  if (untoldOf(user) === untold) localStorage.removeItem(UNTOLD)
}

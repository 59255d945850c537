import { core, type Profile } from '~/core'
import { type Language, language, languageAtLoad, languages, reloadPage, storeLanguage } from '~/language'
import { storedValue } from './storedValue'

/** A user's language choice that the server hasn't stored yet. */
const pendingChoice = storedValue<{ user: string; language: Language }>('localStorage', 'untoldLanguage')

function readPendingLanguage(user: string): Language | undefined {
  const choice = pendingChoice.read()
  return choice?.user === user ? choice.language : undefined
}

/** Where the language can be switched. */
type Place = 'menu' | 'settings' | 'sign-in'

/** Where the user has switched the language, while the page reloads because of that. */
const switchedIn = storedValue<Place>('sessionStorage', 'languageSwitchedIn')

/** Returns the ref of a control that gets the focus after a choice at `place` has reloaded the page. */
export const focusAfterSwitch = (place: Place) => (control: HTMLElement | null) => {
  if (!control || switchedIn.read() !== place) return
  switchedIn.forget()
  control.focus()
}

/**
 * Switches the language by reloading the page. Drafts are kept. `user` is the id of the signed-in user, whose choice is
 * sent to the server after the reload. Without a user, the choice applies to this device until a user signs in who has
 * chosen a language. `place` is where the choice was made, for `focusAfterSwitch`.
 */
export function switchLanguage(chosen: Language, place: Place, user?: string) {
  if (chosen === language) return
  switchedIn.save(place)
  if (user) pendingChoice.save({ user, language: chosen })
  storeLanguage(chosen)
  reloadPage()
}

/**
 * Applies the signed-in user's language. If it differs from the page's language, loads the page at `address`,
 * and the promise never resolves. For users who have chosen no language, the device's language stays.
 */
export async function applyUserLanguage(profile: Profile, address: string) {
  const wanted = readPendingLanguage(profile.id) ?? profile.language
  if (!wanted || wanted === languageAtLoad || languages.every(({ value }) => value !== wanted)) return
  storeLanguage(wanted)
  location.replace(address)
  await new Promise(() => undefined)
}

/**
 * Sends the language choice of the user with this id to the server, if it isn't stored there yet. Rejects if that
 * fails; the next load of the app, or the user's next sign-in, tries again.
 */
export async function syncLanguage(user: string) {
  const pending = readPendingLanguage(user)
  if (!pending) return
  await core.setLanguage({ language: pending })
  // Another tab may have stored a newer choice meanwhile, which is still to be sent.
  if (readPendingLanguage(user) === pending) pendingChoice.forget()
}

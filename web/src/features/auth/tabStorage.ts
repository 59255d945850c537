import type { Message } from '~/core'
import { drafts } from '~/lib/drafts'
import { storedValue } from '~/lib/storedValue'

/** Returns a store for one text in the tab's session storage, which survives a reload and a visit to another site. */
const createTabStore = (key: string) => ({
  save: (text: string) => sessionStorage.setItem(key, text),
  read: () => sessionStorage.getItem(key),
  forget: () => sessionStorage.removeItem(key),
})

/** The token of a password reset link, which has been removed from the URL. */
export const resetToken = createTabStore('resetToken')

/** The token of a link that confirms a sign-up, which has been removed from the URL. */
export const signupToken = createTabStore('signupToken')

/** The link that confirmed a sign-up, and the message to show again if it is opened again or the page is reloaded. */
export const confirmedSignup = storedValue<{ token: string; message: Message }>(
  'sessionStorage',
  'confirmedSignup',
)

/** The draft of the sign-up form. It is kept after the form was sent, until the sign-up is confirmed. */
export const SIGNUP_DRAFT = 'signup'

/** A sign-up that was sent, and the server's response. */
export type SentSignup = { email: string; message: Message }

const SENT_SIGNUP = `${SIGNUP_DRAFT} sent`

/** The sign-up that this tab has sent last, until its link is confirmed or refused or the user goes back to the form. */
export const sentSignup = {
  save: (sent: SentSignup) => drafts.save(SENT_SIGNUP, sent),
  read: () => drafts.read<SentSignup>(SENT_SIGNUP),
  forget: () => drafts.forgetInput(SENT_SIGNUP),
}

/** The path of the page to open after a sign-in with a provider. */
export const pageAfterSignIn = createTabStore('wantedPage')

/**
 * Removes the query, with its secret values, from the browser's URL and history. The router's own location still
 * contains the query until its next navigation.
 */
export function removeQuery({ pathname }: URL) {
  // Not in tests, whose memory router doesn't change the browser's URL.
  if (location.pathname === pathname) history.replaceState(history.state, '', pathname)
}

/** A text that is kept as long as the tab: over a reload, and over a trip to another site and back. */
const keptAs = (key: string) => ({
  keep: (text: string) => sessionStorage.setItem(key, text),
  read: () => sessionStorage.getItem(key),
  forget: () => sessionStorage.removeItem(key),
})

/** The token of the reset link that led here; no address holds it any more. */
export const resetToken = keptAs('resetToken')

/** The token of the link that confirms a sign-up; no address contains it any more. */
export const signupToken = keptAs('signupToken')

/** The page that was wanted by whoever signs in at another provider meanwhile. */
export const wantedPage = keptAs('wantedPage')

/**
 * Takes the query out of the browser's address and history, before anything else is done with what it carries. The
 * router's own address follows at its next step.
 */
export function wipeQuery({ pathname }: URL) {
  // Tests keep their addresses to themselves.
  if (location.pathname === pathname) history.replaceState(history.state, '', pathname)
}

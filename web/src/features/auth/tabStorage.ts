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

/** The page to return to after a sign-in with a provider. */
export const pageAfterSignIn = createTabStore('wantedPage')

/**
 * Removes the query from the browser's URL and history before its values are used. The router's own location follows
 * with its next navigation.
 */
export function removeQuery({ pathname }: URL) {
  // Tests use a memory router.
  if (location.pathname === pathname) history.replaceState(history.state, '', pathname)
}

/** The addresses that more than one part of the app leads to. */
export const paths = {
  login: '/login',
  code: '/otp',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  callback: '/auth/callback',
  home: '/dashboard',
  profile: '/dashboard/profile',
  subscriptions: '/dashboard/subscriptions',
  customers: '/dashboard/customers',
  invoices: '/dashboard/invoices',
  invoice: (id: string) => `/dashboard/invoices/${encodeURIComponent(id)}`,
  contacts: '/dashboard/contacts',
  contact: (id: string) => `/dashboard/contacts/${encodeURIComponent(id)}`,
  /** The contacts that one import brought in. */
  importedContacts: (sessionId: string) =>
    `/dashboard/contacts?${new URLSearchParams({ importBatchId: sessionId })}`,
  imports: '/dashboard/contacts/imports',
  newImport: '/dashboard/contacts/imports/new',
  users: '/dashboard/users',
  roles: '/dashboard/roles',
  corporations: '/dashboard/corporations',
  corporationUsers: (id: string) => `/dashboard/corporations/${encodeURIComponent(id)}/users`,
} as const

/** The handle of a route that is a dialog over the page that it lies in. */
export const DIALOG = 'dialog'

/** Signing in, and then back to the page that was wanted. */
export const loginFor = (wanted: string) => `${paths.login}?${new URLSearchParams({ next: wanted })}`

/** The page to go to after signing in: the wanted one if it is one of ours, else the given. */
export function wantedOr(wanted: string | null, home: string): string {
  return wanted !== null && /^\/dashboard(?:[/?#]|$)/.test(wanted) ? wanted : home
}

/** An address as a person would write it, save for what can't be seen, and no longer than one reads. */
export function readable(pathname: string): string {
  const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
  try {
    return shown(decodeURI(pathname).replace(/\p{C}/gu, encodeURIComponent))
  } catch {
    return shown(pathname)
  }
}

/** Paths of the app's pages that several features link to. */
export const paths = {
  login: '/login',
  code: '/otp',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  signup: '/signup',
  verifyEmail: '/verify-email',
  callback: '/auth/callback',
  home: '/dashboard',
  /** A second path of the same page. Administrators start there after signing in. */
  adminHome: '/dashboard/admin',
  profile: '/dashboard/profile',
  subscriptions: '/dashboard/subscriptions',
  customers: '/dashboard/customers',
  duplicateCustomers: '/dashboard/customers/duplicates',
  customer: (id: string) => `/dashboard/customers/${encodeURIComponent(id)}`,
  invoices: '/dashboard/invoices',
  invoice: (id: string) => `/dashboard/invoices/${encodeURIComponent(id)}`,
  invoiceDetails: (id: string) => `/dashboard/invoices/${encodeURIComponent(id)}/details`,
  vehicles: '/dashboard/vehicles',
  vehicle: (id: string) => `/dashboard/vehicles/${encodeURIComponent(id)}`,
  agreements: '/dashboard/agreements',
  agreement: (id: string) => `/dashboard/agreements/${encodeURIComponent(id)}`,
  contacts: '/dashboard/contacts',
  duplicateContacts: '/dashboard/contacts/duplicates',
  contact: (id: string) => `/dashboard/contacts/${encodeURIComponent(id)}`,
  importedContacts: (sessionId: string) =>
    `/dashboard/contacts?${new URLSearchParams({ importBatchId: sessionId })}`,
  imports: '/dashboard/contacts/imports',
  newImport: '/dashboard/contacts/imports/new',
  users: '/dashboard/users',
  roles: '/dashboard/roles',
  history: '/dashboard/history',
  trash: '/dashboard/trash',
  privacy: '/dashboard/privacy',
  corporations: '/dashboard/corporations',
  corporationUsers: (id: string) => `/dashboard/corporations/${encodeURIComponent(id)}/users`,
} as const

/** The `handle` of a route that is shown as a dialog above the page of its parent route. */
export const DIALOG = 'dialog'

/** Returns the login URL that leads back to `next`. */
export const loginUrl = (next: string) => `${paths.login}?${new URLSearchParams({ next })}`

/** Returns `next` if it is /dashboard or a path below it, otherwise `home`. Prevents open redirects. */
export function safeRedirect(next: string | null, home: string): string {
  return next !== null && /^\/dashboard(?:[/?#]|$)/.test(next) ? next : home
}

/** Decodes a path for display: invisible characters stay encoded, and it is cut after 80 characters. */
export function displayPath(pathname: string): string {
  const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)
  try {
    return shown(decodeURI(pathname).replace(/\p{C}/gu, encodeURIComponent))
  } catch {
    return shown(pathname)
  }
}

import type { CorporationUser } from '~/core'

/** Returns a user's full name, or the email address without one. */
export const userName = ({ first, last, email }: CorporationUser) => `${first} ${last}`.trim() || email

import type { CorporationUser } from '~/core'

/** Returns a user's full name; the e-mail address if the user has no name. */
export const userName = ({ first, last, email }: CorporationUser) => `${first} ${last}`.trim() || email

import type { CorporationUser } from '~/core'

/** How a user is called; by the email where there is no name. */
export const userName = ({ first, last, email }: CorporationUser) => `${first} ${last}`.trim() || email

import type { CorporationUser } from '~/core'
import { fullName } from '~/lib/session'

/** Returns a user's full name; the e-mail address if the user has no name. */
export const userName = ({ first, last, email }: CorporationUser) =>
  fullName({ first_name: first, last_name: last, email })

import type { User } from '~/core'

/** Returns a user's full name. */
export const userName = ({ first_name, last_name }: User) => `${first_name} ${last_name}`

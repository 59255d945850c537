import type { User } from '~/core'

/** What to call a user. */
export const userName = ({ first_name, last_name }: User) => `${first_name} ${last_name}`

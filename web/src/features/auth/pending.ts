import type { ResendInput } from '~/core'
import { storedValue } from '~/lib/storedValue'

/** A sign-in that waits for the mailed code. Never contains the password. */
export type PendingLogin = Required<ResendInput> & {
  next: string | null
}

/** The pending login, stored for the lifetime of the tab. */
export const pendingLogin = storedValue<PendingLogin>('sessionStorage', 'login')

/** The id of the toast that reports that a code was mailed. */
export const CODE_SENT = 'code sent'

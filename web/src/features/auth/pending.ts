import { core, type ResendInput } from '~/core'
import { storedValue } from '~/lib/storedValue'

/** A sign-in that waits for the mailed code. Never contains the password. */
type PendingLogin = Required<ResendInput> & {
  next: string | null
  /** The time at which another code can be requested, in milliseconds since 1970. A reload doesn't change it. */
  resendAt: number
}

/** Returns the `resendAt` of a code that is mailed now. */
export const nextResendAt = () => Date.now() + core.resendAfterSeconds() * 1000

/** The pending login, stored for the lifetime of the tab. */
export const pendingLogin = storedValue<PendingLogin>('sessionStorage', 'login')

/** The id of the toast that reports that a code was mailed. */
export const CODE_SENT = 'code sent'

import type { ResendInput } from '~/core'

const KEY = 'login'

/** A login that waits for its one-time code. Never contains the password. */
export type PendingLogin = Required<ResendInput> & {
  next: string | null
}

/** The pending login, stored for the lifetime of the tab. */
export const pendingLogin = {
  save: (login: PendingLogin) => sessionStorage.setItem(KEY, JSON.stringify(login)),
  read(): PendingLogin | undefined {
    const stored = sessionStorage.getItem(KEY)
    return stored === null ? undefined : JSON.parse(stored)
  },
  forget: () => sessionStorage.removeItem(KEY),
}

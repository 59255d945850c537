import type { ResendInput } from '~/core'

const KEY = 'login'

/** What the code page needs of a login that waits for its code. Never the password. */
export type PendingLogin = Required<ResendInput> & {
  /** The page to go to afterwards. */
  next: string | null
}

/** Keeps a login until its code is verified; as long as the tab, and over a reload. */
export const pendingLogin = {
  keep: (login: PendingLogin) => sessionStorage.setItem(KEY, JSON.stringify(login)),
  read(): PendingLogin | undefined {
    const kept = sessionStorage.getItem(KEY)
    return kept === null ? undefined : JSON.parse(kept)
  },
  forget: () => sessionStorage.removeItem(KEY),
}

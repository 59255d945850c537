import { useRef } from 'react'
import { isGone, problemOf } from '~/core/problem'
import { drafts } from './drafts'
import { randomId } from './randomId'
import { isSame } from './rebase'

/** The version of a record that nobody has changed since its creation. */
const FIRST_VERSION = 1

/** Returns whether the server may have processed the request although its response is missing. */
const isUnanswered = (thrown: unknown) => {
  const { status } = problemOf(thrown) ?? {}
  return status === 0 || (status !== undefined && status >= 500)
}

type Settings<B, S> = {
  send: (body: B, key: string) => Promise<S>
  /** Saves changed input; `version` is the one on which the input is based. */
  update?: (created: S, body: B, version: number) => Promise<S>
  /** The storage key of the form's draft: a lost request is still recognized once the draft is restored. */
  draft?: string
}

/**
 * Returns a function that sends the request which creates something. After a lost response, the next attempt has the
 * same key, so that the server creates it once. If the user has changed the input meanwhile, `update` then saves it,
 * because the server may have stored an earlier one; without `update`, changed input is a new request. After a conflict
 * of this update, the function is called with the version of the conflict.
 */
export function useCreation<B, S>({ send, update, draft }: Settings<B, S>) {
  // The request whose response was lost. `body` is undefined if it is unknown, or if its attempts had different ones.
  const lost = useRef<{ key: string; body?: B }>(undefined)
  // What was created, while its update hasn't succeeded yet.
  const created = useRef<S>(undefined)
  const isOpened = useRef(false)
  return async (body: B, version = FIRST_VERSION): Promise<S> => {
    const stored = !isOpened.current && draft !== undefined ? drafts.readRequest(draft) : undefined
    isOpened.current = true
    if (stored) lost.current = { key: stored }
    const before = update || isSame(lost.current?.body, body) ? lost.current : undefined
    const key = before?.key ?? randomId()
    const isOnlyBody = !before || isSame(before.body, body)
    try {
      created.current ??= await send(body, key)
      const saved = update && !isOnlyBody ? await update(created.current, body, version) : created.current
      lost.current = undefined
      created.current = undefined
      return saved
    } catch (thrown) {
      // Any other error, such as too many requests, doesn't say what the server has stored before, except that it was
      // deleted.
      if (isUnanswered(thrown)) {
        lost.current = { key, body: isOnlyBody ? body : undefined }
        if (draft !== undefined) drafts.saveRequest(draft, key)
      } else if (isGone(thrown)) {
        lost.current = undefined
        created.current = undefined
      }
      throw thrown
    }
  }
}

import { useRef } from 'react'
import { isGone, problemOf } from '~/core/problem'
import { randomId } from './randomId'
import { isSame } from './rebase'

/** Returns whether the server may have processed the request although its response is missing. */
const isUnanswered = (thrown: unknown) => {
  const { status } = problemOf(thrown) ?? {}
  return status === 0 || (status !== undefined && status >= 500)
}

/**
 * Returns a function that sends the request which creates something. After a lost response, the next attempt has the
 * same key, so that the server creates it once. If the user has changed the input meanwhile, `update` then saves it,
 * because the server may have stored an earlier one; without `update`, changed input is a new request.
 */
export function useCreation<B, S>(
  send: (body: B, key: string) => Promise<S>,
  update?: (created: S, body: B) => Promise<S>,
): (body: B) => Promise<S> {
  // The request whose response was lost. `body` is undefined if its attempts had different ones.
  const lost = useRef<{ key: string; body: B | undefined }>(undefined)
  return async body => {
    const before = update || isSame(lost.current?.body, body) ? lost.current : undefined
    const key = before?.key ?? randomId()
    const isOnlyBody = !before || isSame(before.body, body)
    try {
      const created = await send(body, key)
      const saved = update && !isOnlyBody ? await update(created, body) : created
      lost.current = undefined
      return saved
    } catch (thrown) {
      // Any other error, such as too many requests, doesn't say what the server has stored before, except that it was
      // deleted.
      if (isUnanswered(thrown)) lost.current = { key, body: isOnlyBody ? body : undefined }
      else if (isGone(thrown)) lost.current = undefined
      throw thrown
    }
  }
}

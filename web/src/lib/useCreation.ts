import { useRef } from 'react'
import { problemOf } from '~/core/problem'
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
 * because the server may have stored the first one; without `update`, changed input is a new request.
 */
export function useCreation<B, S>(
  send: (body: B, key: string) => Promise<S>,
  update?: (created: S, body: B) => Promise<S>,
): (body: B) => Promise<S> {
  const lost = useRef<{ key: string; body: B }>(undefined)
  return async body => {
    const before = update || isSame(lost.current?.body, body) ? lost.current : undefined
    const first = before ?? { key: randomId(), body }
    let saved: S
    try {
      saved = await send(body, first.key)
    } catch (thrown) {
      lost.current = isUnanswered(thrown) ? first : undefined
      throw thrown
    }
    if (update && !isSame(first.body, body)) saved = await update(saved, body)
    lost.current = undefined
    return saved
  }
}

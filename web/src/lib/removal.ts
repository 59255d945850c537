import { useRef } from 'react'
import { isGone, isUnanswered } from '~/core/problem'

/**
 * Returns a function that sends a request which deletes something. Its result is undefined if an earlier
 * attempt has deleted it, and only the response was lost.
 */
export function useRemoval() {
  const hasLostResponse = useRef(false)
  return async <Result>(remove: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await remove()
    } catch (thrown) {
      if (isGone(thrown) && hasLostResponse.current) return undefined
      if (isUnanswered(thrown)) hasLostResponse.current = true
      throw thrown
    }
  }
}

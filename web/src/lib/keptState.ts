import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Profile } from '~/core'
import { useSession } from './session'

/** By user: the states of the entries of the browser's history, by the state's name and the entry's key. */
const kept = new WeakMap<Profile, Map<string, unknown>>()

/**
 * As `useState`, but when the user comes back to this entry of the browser's history, the state is as they left it,
 * until the page is reloaded.
 */
export function useKeptState<T>(name: string, initial: T) {
  const { profile } = useSession()
  const { key } = useLocation()
  const place = `${name} ${key}`
  const [state, setState] = useState(() => {
    const states = kept.get(profile)
    return states?.has(place) ? (states.get(place) as T) : initial
  })
  useEffect(() => {
    const states = kept.get(profile) ?? new Map<string, unknown>()
    kept.set(profile, states.set(place, state))
  }, [profile, place, state])
  return [state, setState] as const
}

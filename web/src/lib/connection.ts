import { useSyncExternalStore } from 'react'
import type { Core } from '~/core'

/** Interval between checks while the server is unreachable. */
const PAUSE_MS = 4_000
const PATIENCE_MS = 8_000

let isThere = true
let timer: ReturnType<typeof setTimeout> | undefined
let isAsking = false
const listeners = new Set<() => void>()

function know(reached: boolean) {
  clearTimeout(timer)
  if (!reached) timer = setTimeout(() => void askConnection(), PAUSE_MS)
  if (reached === isThere) return
  isThere = reached
  for (const changed of listeners) changed()
}

/** Checks whether the server is reachable. `navigator.onLine` isn't used: it only knows about the local network. */
export async function askConnection() {
  if (isAsking) return
  isAsking = true
  try {
    await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
    know(true)
  } catch {
    know(false)
  } finally {
    isAsking = false
  }
}

/** Starts tracking whether the server is reachable, by the outcome of API requests and by health checks. */
export function startConnection({ onCall }: Core) {
  onCall(reached => {
    // A single request can fail on a good network too.
    if (reached) know(true)
    else if (isThere) void askConnection()
  })
  addEventListener('online', () => void askConnection())
  addEventListener('offline', () => void askConnection())
}

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** Returns whether the server was reachable at the last request or check. */
export const useIsConnected = () => useSyncExternalStore(subscribe, () => isThere)

import { useSyncExternalStore } from 'react'
import type { Core } from '~/core'

/** While nobody is there it is asked so often. */
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

/** Finds out whether the server is there. The device's own word isn't asked: it knows its network, and not where that ends. */
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

/** Follows from now on whether the server can be reached: by how calls go, and by asking when that is in doubt. */
export function startConnection({ onCall }: Core) {
  onCall(reached => {
    // One call alone may be lost on a good network too.
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

/** Can the server be reached, as far as the page knows? */
export const useIsConnected = () => useSyncExternalStore(subscribe, () => isThere)

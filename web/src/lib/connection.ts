import { useSyncExternalStore } from 'react'
import type { Core } from '~/core'
import { createEmitter } from './emitter'

/** Interval between checks while the server is unreachable. */
const RETRY_MS = 4_000
const TIMEOUT_MS = 8_000

let isConnected = true
let timer: ReturnType<typeof setTimeout> | undefined
let checking: Promise<boolean> | undefined
const { subscribe, notify } = createEmitter()

function setConnected(isReachable: boolean) {
  clearTimeout(timer)
  if (!isReachable) timer = setTimeout(() => void checkConnection(), RETRY_MS)
  if (isReachable === isConnected) return
  isConnected = isReachable
  notify()
}

async function check() {
  try {
    await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    setConnected(true)
  } catch {
    setConnected(false)
  }
  checking = undefined
  return isConnected
}

/**
 * Updates the connection state by a request to the server, and returns whether it is reachable. `navigator.onLine`
 * isn't used: it only knows about the local network.
 */
export function checkConnection(): Promise<boolean> {
  checking ??= check()
  return checking
}

/** Starts tracking whether the server is reachable, by the outcome of API requests and by health checks. */
export function startConnection({ onRequestEnd }: Core) {
  onRequestEnd(isReached => {
    // A single request can fail on a good network too, so a failure is confirmed by a health check.
    if (isReached) setConnected(true)
    else if (isConnected) void checkConnection()
  })
  addEventListener('online', () => void checkConnection())
  addEventListener('offline', () => void checkConnection())
}

/** Returns whether the server is reachable, by the last successful request or the last check. */
export const useIsConnected = () => useSyncExternalStore(subscribe, () => isConnected)

/** Calls `listener` whenever the server becomes reachable again. */
export const onReconnect = (listener: () => void) => subscribe(() => isConnected && listener())

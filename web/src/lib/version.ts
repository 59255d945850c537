import { useSyncExternalStore } from 'react'

/** An open page asks so often whether there is a new version, when somebody comes back to it. */
const AGE_MS = 3_600_000

let offered: (() => void) | undefined
const listeners = new Set<() => void>()

/** Does the page that is open belong to the version that waits? It came from the network, which is ahead of the worker. */
async function isNewAlready(waiting: ServiceWorker): Promise<boolean> {
  const parts = [...document.querySelectorAll<HTMLScriptElement>('script[type="module"]')].map(
    ({ src }) => src,
  )
  const has = await Promise.all(parts.map(part => isKeptBy(waiting, part)))
  return has.every(Boolean)
}

function isKeptBy(worker: ServiceWorker, part: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise(resolve => {
    port1.onmessage = ({ data }) => resolve(data === true)
    worker.postMessage({ type: 'HAS', part }, [port2])
  })
}

let isStarted = false

async function start(renew: () => void) {
  const { Workbox } = await import('workbox-window')
  const worker = new Workbox('/sw.js')
  let isNew = false
  // A page that came without one gets its first, be it begun here or on the page before: it has that version already.
  let isKept = navigator.serviceWorker.controller !== null
  worker.addEventListener('waiting', async ({ sw }) => {
    isNew = sw !== undefined && (await isNewAlready(sw))
    const take = () => worker.messageSkipWaiting()
    if (isNew) return take()
    offered = take
    for (const changed of listeners) changed()
  })
  worker.addEventListener('controlling', ({ isUpdate, isExternal }) => {
    if (isKept && (isUpdate || isExternal) && !isNew) renew()
    isKept = true
  })
  await worker.register()
  let askedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - askedAt < AGE_MS) return
    askedAt = Date.now()
    worker.update().catch(() => undefined)
  })
}

/**
 * Has a service worker keep the app on this device, and hears when it has a newer one; `renew` is called as soon as that
 * has taken over, here or in another tab.
 */
export function keepOnDevice(renew: () => void) {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || isStarted) return
  isStarted = true
  // Without one it is a page like any other.
  start(renew).catch(() => undefined)
}

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** Takes the newer version that waits; absent while there is none. */
export const useNewVersion = () => useSyncExternalStore(subscribe, () => offered)

/** Did a part of the app not come? Then there is no network, or the server has a newer version and this part no more. */
export const isMissingPart = (error: unknown) =>
  error instanceof TypeError &&
  /dynamically imported module|importing a module script|preload/i.test(error.message)

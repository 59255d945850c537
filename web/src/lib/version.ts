import { useSyncExternalStore } from 'react'
import { createEmitter } from './emitter'

/** Minimum time between two checks for a new version of the app, which happen when the user returns to the page. */
const CHECK_INTERVAL_MS = 3_600_000

const TIMEOUT_MS = 8_000

let activateWaiting: (() => void) | undefined
const { subscribe, notify } = createEmitter()

/** Returns the URLs of the scripts of this page. Their names contain hashes, so together they are its version. */
const pageScripts = () =>
  [...document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]')].map(({ src }) => src)

/**
 * Returns whether the page was already loaded from the version of the waiting service worker. Pages come from the
 * network and can be newer than the active service worker.
 */
async function isPageOfVersion(waiting: ServiceWorker): Promise<boolean> {
  const has = await Promise.all(pageScripts().map(file => hasFile(waiting, file)))
  return has.every(Boolean)
}

function hasFile(worker: ServiceWorker, file: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise(resolve => {
    port1.onmessage = ({ data }) => resolve(data === true)
    worker.postMessage({ type: 'HAS', part: file }, [port2])
  })
}

let isStarted = false

async function start(renew: () => void) {
  const { Workbox } = await import('workbox-window')
  const worker = new Workbox('/sw.js')
  let isPageNew = false
  // False on the first visit: then the first service worker to control the page has the page's version, so `renew`
  // isn't called.
  let hadController = navigator.serviceWorker.controller !== null
  worker.addEventListener('waiting', async ({ sw }) => {
    isPageNew = sw !== undefined && (await isPageOfVersion(sw))
    const activate = () => worker.messageSkipWaiting()
    if (isPageNew) return activate()
    activateWaiting = activate
    notify()
  })
  worker.addEventListener('controlling', ({ isUpdate, isExternal }) => {
    if (hadController && (isUpdate || isExternal) && !isPageNew) renew()
    hadController = true
  })
  await worker.register()
  let checkedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_INTERVAL_MS) return
    checkedAt = Date.now()
    worker.update().catch(() => undefined)
  })
}

/**
 * Registers the service worker, which stores the app for offline use. `renew` is called when a service worker newer
 * than this page has become active, whether this tab or another one activated it.
 */
export function registerServiceWorker(renew: () => void) {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || isStarted) return
  isStarted = true
  // The app also works without a service worker.
  start(renew).catch(() => undefined)
}

/** Returns a function that activates the newer version of the app that is ready; undefined if there is none. */
export const useWaitingVersion = () => useSyncExternalStore(subscribe, () => activateWaiting)

/**
 * Returns whether the server has another version of the app than this page; undefined if the server doesn't return its
 * page. The request bypasses the service worker, which stores the page only for navigations.
 */
export async function hasServerNewVersion(): Promise<boolean | undefined> {
  try {
    const response = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) return undefined
    const served = await response.text()
    return pageScripts().some(file => !served.includes(`"${new URL(file).pathname}"`))
  } catch {
    return undefined
  }
}

/** Returns whether an error is a failed dynamic import: offline, or the server doesn't have this file any more. */
export const isFailedImport = (error: unknown): error is TypeError =>
  error instanceof TypeError &&
  /dynamically imported module|importing a module script|preload/i.test(error.message)

/**
 * Reloads the app after the import of a file failed. The preloaded files are requested first: over a reload, WebKit keeps
 * a preload that failed, and the import fails again, until the file is requested in another way.
 */
export async function reloadApp() {
  const preloads = [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')]
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  await Promise.allSettled(preloads.map(async ({ href }) => (await fetch(href, { signal })).text()))
  location.reload()
}

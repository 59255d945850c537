/** The service worker. It stores the app for offline use, and never any of its data: API requests bypass it. */
import { getCacheKeyForURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'

declare const self: ServiceWorkerGlobalScope

/** A slower network counts as offline when a page is loaded. */
const TIMEOUT_S = 3

// Each file with its hash. Together they are this version.
const files = self.__WB_MANIFEST as { url: string; revision: string | null }[]
const PAGES = 'page of '
const PAGE = PAGES + (files.find(({ url }) => /^assets\/start-.*\.js$/.test(url))?.url ?? '')

precacheAndRoute(files)

/**
 * Returns whether the worker has every file that a page references, which means that the page belongs to its version.
 */
const isOfThisVersion = (page: string) =>
  [...page.matchAll(/"(\/assets\/[^"]+)"/g)].every(([, file]) => getCacheKeyForURL(file ?? '') !== undefined)

// Every URL of the app returns the same page, which contains this installation's settings, so the network comes
// first.
const page = new NetworkFirst({
  cacheName: PAGE,
  networkTimeoutSeconds: TIMEOUT_S,
  plugins: [
    {
      cacheKeyWillBeUsed: async () => '/',
      // A reverse proxy answers with 5xx while the server is down.
      fetchDidSucceed: async ({ response }) => {
        if (response.status >= 500) throw new Error('The server is down')
        return response
      },
      cacheWillUpdate: async ({ response }) =>
        response.ok && isOfThisVersion(await response.clone().text()) ? response : null,
    },
  ],
})
registerRoute(new NavigationRoute(page, { denylist: [/^\/api(?:\/|$)/, /\.[^/]*$/] }))

self.addEventListener('install', event => {
  // The current page was loaded before the worker existed.
  const [response, cached] = page.handleAll({ event, request: new Request('/') })
  event.waitUntil(response.then(() => cached))
})

self.addEventListener('activate', event => {
  const deleteOldPages = async () => {
    const names = await caches.keys()
    const old = names.filter(name => name.startsWith(PAGES) && name !== PAGE)
    await Promise.all(old.map(name => caches.delete(name)))
    await self.clients.claim()
  }
  event.waitUntil(deleteOldPages())
})

// A new version stays waiting until a page activates it. The page first asks whether it belongs to that version
// itself.
self.addEventListener('message', ({ data, ports }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting()
  if (data?.type === 'HAS') ports[0]?.postMessage(getCacheKeyForURL(String(data.part)) !== undefined)
})

/**
 * The service worker: it keeps the app itself, so that it opens without a network, and nothing of what the app is about.
 * A call of the API never passes through it.
 */
import { getCacheKeyForURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'

declare const self: ServiceWorkerGlobalScope

/** A network that takes longer is none, as far as the page is concerned. */
const PATIENCE_S = 3

// Hashed names, and a hash for each of the others: together they are this version.
const parts = self.__WB_MANIFEST as { url: string; revision: string | null }[]
const PAGES = 'page of '
const PAGE = PAGES + (parts.find(({ url }) => /^assets\/start-.*\.js$/.test(url))?.url ?? '')

precacheAndRoute(parts)

/** Does this worker have every part that a page asks for? Then the page is of its version. */
const isOurs = (page: string) =>
  [...page.matchAll(/"(\/assets\/[^"]+)"/g)].every(([, part]) => getCacheKeyForURL(part ?? '') !== undefined)

// Every address of the app is the same page, which carries the settings of this installation; so the network comes first.
const page = new NetworkFirst({
  cacheName: PAGE,
  networkTimeoutSeconds: PATIENCE_S,
  plugins: [
    {
      cacheKeyWillBeUsed: async () => '/',
      // What stands before a server that is down answers in its place.
      fetchDidSucceed: async ({ response }) => {
        if (response.status >= 500) throw new Error('The server is down')
        return response
      },
      cacheWillUpdate: async ({ response }) =>
        response.ok && isOurs(await response.clone().text()) ? response : null,
    },
  ],
})
registerRoute(new NavigationRoute(page, { denylist: [/^\/api(?:\/|$)/, /\.[^/]*$/] }))

self.addEventListener('install', event => {
  // The page that is open came before there was a worker.
  const [come, kept] = page.handleAll({ event, request: new Request('/') })
  event.waitUntil(come.then(() => kept))
})

self.addEventListener('activate', event => {
  const tidy = async () => {
    const names = await caches.keys()
    const old = names.filter(name => name.startsWith(PAGES) && name !== PAGE)
    await Promise.all(old.map(name => caches.delete(name)))
    await self.clients.claim()
  }
  event.waitUntil(tidy())
})

// A new version waits until a page says that it may come, which first asks whether it belongs to it.
self.addEventListener('message', ({ data, ports }) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting()
  if (data?.type === 'HAS') ports[0]?.postMessage(getCacheKeyForURL(String(data.part)) !== undefined)
})

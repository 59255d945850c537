import { createRoot } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { checkConnection } from '~/lib/connection'
import { errorResponse, network } from '~/test/network'
import { ErrorPage } from './ErrorPage'
import { Providers } from './Providers'

const healthy = () => ({ body: { success: true, message: '' } })
const unreachable = () => Promise.reject(new TypeError('Failed to fetch'))

/** Sets the response to the request for the server's page. */
function servePage(respond: () => Response) {
  const { fetch } = window
  window.fetch = (input, init) => (input === '/' ? Promise.resolve(respond()) : fetch(input, init))
}

/** Returns a page of the server with the scripts of this one. */
const samePage = () => {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]')]
  return new Response(scripts.map(({ src }) => `<script src="${new URL(src).pathname}">`).join('\n'))
}
const newPage = () => new Response('<script type="module" src="/assets/start-new.js"></script>')

/** Opens a page whose code can't be imported. */
function openBrokenPage() {
  const error = new TypeError('Failed to fetch dynamically imported module: /assets/Page.js')
  const router = createMemoryRouter([
    { path: '/', ErrorBoundary: ErrorPage, lazy: () => Promise.reject(error) },
  ])
  const script = document.createElement('script')
  script.type = 'module'
  script.src = '/theme.js'
  document.head.append(script)
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  root.render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  )
  onTestFinished(() => {
    root.unmount()
    script.remove()
  })
}

afterEach(async () => {
  vi.restoreAllMocks()
  network.on('GET /api/health', healthy)
  await checkConnection()
})

test('an import that fails online says that there is a new version only if the server has one', async () => {
  network.on('GET /api/health', healthy)
  servePage(newPage)
  openBrokenPage()
  await expect.element(page.getByText('A new version is available')).toBeVisible()
})

test.each([
  ['has the same version', samePage],
  ["doesn't return its page", () => new Response('', { status: 502 })],
])('an import that fails online shows an error if the server %s', async (_, respond) => {
  network.on('GET /api/health', healthy)
  servePage(respond)
  openBrokenPage()
  await expect.element(page.getByText("This page couldn't be loaded")).toBeVisible()
  await expect
    .element(page.getByText(/^Reload the page.*ask the person who manages this installation\.$/))
    .toBeVisible()
})

test('a new version is offered after an import failed offline and the connection has returned', async () => {
  network.on('GET /api/health', unreachable)
  servePage(newPage)
  openBrokenPage()
  await expect.element(page.getByText("This page couldn't be loaded")).toBeVisible()
  network.on('GET /api/health', () => errorResponse(200, ''))
  await checkConnection()
  await expect.element(page.getByText('A new version is available')).toBeVisible()
})

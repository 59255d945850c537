import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { withDialogHistory } from '~/ui/dialogHistory'

let endLoading = () => {}

/** Ends the loading of the first page, and takes so long to render that React pauses after it. */
function Slow() {
  endLoading()
  const end = performance.now() + 20
  while (performance.now() < end);
  return null
}

test('a first page that has loaded before the app is mounted is shown', async () => {
  const routes = [
    {
      path: '/',
      loader: () => new Promise<null>(done => (endLoading = () => done(null))),
      HydrateFallback: () => 'Splash',
      Component: () => 'First page',
    },
  ]
  const router = withDialogHistory(() => createMemoryRouter(routes))
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  startTransition(() =>
    root.render(
      <>
        <RouterProvider router={router} />
        <Slow />
        <Slow />
        <Slow />
        <Slow />
      </>,
    ),
  )
  await expect.poll(() => router.state.initialized).toBe(true)
  await expect.element(page.getByText('First page')).toBeVisible()
  root.unmount()
})

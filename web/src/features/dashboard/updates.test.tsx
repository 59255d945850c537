import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { LiveEvent } from '~/lib/liveStream'
import { entry } from '~/test/history'
import { errorResponse, network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { listOf } from '~/test/records'
import { readPermission } from '~/test/rights'

const total = (count: number) => page.getByRole('link', { name: `Total Invoices ${count}`, exact: true })
const news = page.getByRole('region', { name: 'Since yesterday' }).getByRole('listitem')
const requests = () => network.requests('/api/dashboard').length

/** Serves this number of invoices, and as many entries of the history. */
function serve(count: number) {
  const months = [{ month: '2026-11', count, value: 900 }]
  const invoices = { total: count, months, this_month: [900], last_month: [0] }
  network.on('GET /api/dashboard', () => ({ body: { success: true, data: { invoices } } }))
  network.on('GET /api/history', () => listOf(Array.from({ length: count }, (_, i) => entry(i + 1))))
}

/** Opens the dashboard of a user who may read invoices and the history. The pointer is on neither a chart nor a link. */
async function openDashboard() {
  signInUser()
  servePermissions(
    ...['Invoices', 'History'].map(title => moduleResource(title.toLowerCase(), title, readPermission)),
  )
  serve(1)
  open('/dashboard')
  await expect.element(total(1)).toBeVisible()
  await expect.poll(() => news.elements()).toHaveLength(1)
  await page.getByRole('heading', { level: 1 }).hover()
}

/** Sends an event to the page, like the tab that reads the server's stream. */
function send(event: LiveEvent) {
  const tab = new BroadcastChannel('forecourt-live u1')
  onTestFinished(() => tab.close())
  tab.postMessage(event)
}

const changed: LiveEvent = {
  type: 'changed',
  resource: 'invoices',
  ids: ['i-1'],
  action: 'created',
  by: 'u2',
}

function fakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
}

/** Advances the time, until `value` is what a matcher expects. */
const pollLater = <V,>(value: () => V) =>
  expect.poll(() => {
    vi.advanceTimersByTime(5_000)
    return value()
  })

/** Advances the time until the dashboard has been requested again. */
const expectRequest = () => pollLater(requests).toBe(requests() + 1)

test('changed records update the figures and the news', async () => {
  await openDashboard()
  fakeTimers()
  serve(2)
  send(changed)
  send(changed)
  await expectRequest()
  await expect.element(total(2)).toBeVisible()
  // The news have a timer of their own.
  await pollLater(() => news.elements()).toHaveLength(2)
})

test('changes wait while the pointer is on a link, but not for much longer than a minute', async () => {
  await openDashboard()
  await total(1).hover()
  fakeTimers()
  const start = Date.now()
  serve(2)
  send(changed)
  await expectRequest()
  expect(Date.now() - start).toBeGreaterThanOrEqual(60_000)
  await expect.element(total(2)).toBeVisible()
})

test('figures older than a minute update when the user returns to the page', async () => {
  await openDashboard()
  serve(3)
  onTestFinished(() => void vi.restoreAllMocks())
  const opened = Date.now()
  const now = vi.spyOn(Date, 'now').mockImplementation(() => opened + 30_000)
  window.dispatchEvent(new Event('focus'))
  expect(requests()).toBe(1)
  now.mockImplementation(() => opened + 60_000)
  window.dispatchEvent(new Event('focus'))
  window.dispatchEvent(new Event('focus'))
  await expect.element(total(3)).toBeVisible()
  await expect.poll(() => news.elements()).toHaveLength(3)
  expect(requests()).toBe(2)
})

test('an update that fails leaves the figures as they are', async () => {
  await openDashboard()
  fakeTimers()
  network.on('GET /api/dashboard', () => errorResponse(503, 'The server is busy.'))
  send(changed)
  await expectRequest()
  await expect.element(total(1)).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
  serve(2)
  send(changed)
  await expectRequest()
  await expect.element(total(2)).toBeVisible()
})

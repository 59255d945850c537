import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { HistoryEntry } from '~/core'
import { network } from '~/test/network'
import { contactsResource, moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { readPermission } from '~/test/rights'

const entry = (action: HistoryEntry['action'], number = 1): HistoryEntry => ({
  history_id: `h-${action}-${number}`,
  resource: 'contacts',
  record_id: 'c-1',
  label: 'Ada Öberg',
  action,
  actor: { kind: 'user', id: 'u-1', name: 'Maja Lind' },
  at: new Date().toISOString(),
  changes: [],
  batch_id: undefined,
  records: undefined,
  undo: undefined,
})

const signIns = (count: number) => Array.from({ length: count }, (_, index) => entry('signed_in', index))

const PAGE_SIZE = 20

/** Opens the dashboard of a user who may read the history, of which the server returns 20 entries at once. */
function openNews(entries: HistoryEntry[]) {
  signInUser()
  servePermissions(contactsResource(readPermission), moduleResource('history', 'History', readPermission))
  const contacts = { total: 5, months: [{ month: '2026-11', count: 5 }] }
  network.on('GET /api/dashboard', () => ({ body: { success: true, data: { contacts } } }))
  network.on('GET /api/history', ({ query }) => {
    const start = (Number(query.get('page') ?? 1) - 1) * PAGE_SIZE
    const data = entries.slice(start, start + PAGE_SIZE)
    const totalPages = Math.ceil(entries.length / PAGE_SIZE)
    return { body: { success: true, data, totalItems: entries.length, totalPages } }
  })
  open('/dashboard')
  return page.getByRole('main').getByRole('region', { name: 'Since yesterday' })
}

test('users who may read the history see what has changed since yesterday, without sign-ins', async () => {
  const news = openNews([entry('signed_in'), entry('deleted')])
  await expect
    .element(news.getByRole('listitem'))
    .toHaveTextContent('Maja Lind deleted the contact Ada Öberg')
  await expect
    .element(news.getByRole('link', { name: 'History' }))
    .toHaveAttribute('href', '/dashboard/history')
})

test('a click anywhere on a change opens its record', async () => {
  const news = openNews([entry('updated')])
  const row = news.getByRole('listitem')
  await expect.element(row.getByRole('link')).toHaveAttribute('href', '/dashboard/contacts/c-1')
  const atStart = () => {
    const { left, top, height } = row.element().getBoundingClientRect()
    return document.elementFromPoint(left + 2, top + height / 2)
  }
  await expect.poll(atStart).toBe(row.getByRole('link').element())
})

test('a change is shown even if a page of sign-ins is newer', async () => {
  const news = openNews([...signIns(30), entry('deleted')])
  await expect
    .element(news.getByRole('listitem'))
    .toHaveTextContent('Maja Lind deleted the contact Ada Öberg')
})

test('a page with enough changes is the only one that is requested', async () => {
  const news = openNews(Array.from({ length: 50 }, (_, index) => entry('updated', index)))
  await expect.poll(() => news.getByRole('listitem').elements()).toHaveLength(8)
  const requests = network.requests('/api/history')
  expect(requests.map(({ query }) => query.get('page'))).toEqual(['1'])
})

test('nothing has changed if all entries are sign-ins', async () => {
  const news = openNews(signIns(30))
  await expect.element(news.getByText('Nothing has changed since yesterday.')).toBeVisible()
})

test('if there are too many sign-ins to load, the card refers to the history', async () => {
  const news = openNews([...signIns(200), entry('deleted')])
  const text = 'The latest entries are only sign-ins and sign-outs. Open the history for earlier changes.'
  await expect.element(news.getByText(text)).toBeVisible()
  expect(network.requests('/api/history')).toHaveLength(5)
})

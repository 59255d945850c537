import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { serveContactCount } from '~/test/contacts'
import { network } from '~/test/network'
import { open, signInUser } from '~/test/open'
import { download } from './download'

const start = async (format: string) => {
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: format }).click()
}
const requested = () => network.requests('/api/contacts/export')

beforeEach(() => {
  signInUser()
  serveContactCount(30)
})

test('the rows of the list are exported with its search, filter and sort order', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  network.on('GET /api/contacts/export', () => ({
    headers: { 'content-disposition': 'attachment; filename="contacts.csv"' },
    body: 'name\r\nAda\r\n',
  }))
  open('/dashboard/contacts?page=2&search=ada&sort=-name&view=all')
  await start('CSV file')
  await expect.element(page.getByText('contacts.csv was downloaded')).toBeVisible()
  expect(requested()[0]?.query.toString()).toBe('format=csv&search=ada&sort=-name')
  expect(requested()[0]?.token).toMatch(/^Bearer /)
  expect(requested()[0]?.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(saved).toHaveBeenCalledOnce()
  saved.mockRestore()
})

test('on a phone, the list is exported from its filter panel', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  network.on('GET /api/contacts/export', () => new Promise(() => {}))
  open('/dashboard/contacts?search=ada')
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await start('Excel file')
  await expect.element(page.getByRole('dialog', { name: 'Export contacts' })).toBeVisible()
  await expect.poll(() => requested()[0]?.query.toString()).toBe('format=xlsx&search=ada')
})

test('a failed export says why and can be tried again, and closing it aborts the request', async () => {
  network.on('GET /api/contacts/export', () => ({
    status: 503,
    body: { success: false, message: 'Too many exports are running.' },
  }))
  open('/dashboard/contacts')
  await start('Excel file')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Too many exports are running.')
  network.on('GET /api/contacts/export', () => new Promise(() => {}))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByRole('progressbar')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => requested().at(-1)?.signal.aborted).toBe(true)
})

test('an expired session is refreshed once, and the progress is reported', async () => {
  let attempts = 0
  network.on('GET /api/contacts/export', () => {
    attempts += 1
    return attempts === 1 ? { status: 401, body: {} } : { body: 'x'.repeat(1000) }
  })
  open('/dashboard/contacts')
  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
  const seen: number[] = []
  const { file } = await download(
    '/api/contacts/export',
    bytes => seen.push(bytes),
    new AbortController().signal,
  )
  expect([attempts, file.size, seen.at(-1)]).toEqual([2, 1002, 1002])
})

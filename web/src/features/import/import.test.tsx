import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ImportSession } from '~/core'
import { checkConnection } from '~/lib/connection'
import { importSession, serveImports } from '~/test/imports'
import { errorResponse, network } from '~/test/network'
import { expectAlert, open, signInUser, textsOf } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const STATUS = '/api/contacts/import/status/s1'
const wizard = '/dashboard/contacts/imports/new'

function serveStatus(session: Partial<ImportSession>) {
  const whole = importSession({ status: 'processing', processedRecords: 0, successRecords: 0, ...session })
  network.on(`GET ${STATUS}`, () => ({ body: { success: true, session: whole } }))
}

const polls = () => network.requests(STATUS).length

// Only `setTimeout` is faked, for the pauses between polls.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Advances the fake clock by `ms`. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a running import is polled every three seconds until it is completed', async () => {
  signInUser()
  serveStatus({ processedRecords: 400, successRecords: 390, failedRecords: 10 })
  open(`${wizard}?session=s1`)
  const bar = page.getByRole('progressbar', { name: 'Importing' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '400 of 1,000 rows')
  await expect.element(page.getByText('You can leave this page.', { exact: false })).toBeVisible()
  const before = polls()
  const done = { processedRecords: 1000, successRecords: 985, failedRecords: 15, leftOutRecords: 2 }
  serveStatus({ ...done, status: 'completed' })
  await pass(3_000)
  await expect.element(page.getByText('Import completed successfully!')).toBeVisible()
  expect(page.getByText('You can leave this page', { exact: false }).elements()).toHaveLength(0)
  const counts = page.getByText('985 of 1,002 rows imported, 15 with problems, 2 left out by hand')
  await expect.element(counts).toBeVisible()
  expect(counts.element().closest('.bg-warning-soft')).not.toBeNull()
  const after = polls()
  expect(after).toBe(before + 1)
  await pass(10_000)
  expect(polls(), 'polls after the end').toBe(after)
  await expect
    .element(page.getByRole('link', { name: 'View contacts' }))
    .toHaveAttribute('href', '/dashboard/contacts?importBatchId=s1')
})

test.each([
  ['why', 'This workbook is damaged.', /^Import failed\. Please try again\. ?This workbook is damaged\.$/],
  ['nothing else without a message', undefined, /^Import failed\. Please try again\.$/],
])('a failed import shows that it failed, and %s', async (_, message, said) => {
  signInUser()
  serveStatus({ status: 'failed', message })
  open(`${wizard}?session=s1`)
  await expectAlert(said)
})

test('after four failed polls the import shows a lost connection, not a success', async () => {
  signInUser()
  network.on(`GET ${STATUS}`, () => {
    throw new TypeError('Failed to fetch')
  })
  open(`${wizard}?session=s1`)
  await expect.poll(polls).toBe(1)
  for (const pause of [1_000, 2_000, 4_000]) await pass(pause + 100)
  await expect.element(page.getByText('Connection lost. The import continues on the server.')).toBeVisible()
  await pass(10_000)
  expect(polls()).toBe(4)
  expect(page.getByText('Import completed', { exact: false }).elements()).toHaveLength(0)
})

test('an import whose connection was lost is polled again when the connection returns', async () => {
  signInUser()
  network.on('GET /api/health', failNetwork)
  network.on(`GET ${STATUS}`, failNetwork)
  onTestFinished(async () => {
    network.on('GET /api/health', () => errorResponse(200, ''))
    await checkConnection()
  })
  open(`${wizard}?session=s1`)
  await expect.poll(polls).toBe(1)
  await checkConnection()
  for (const pause of [1_000, 2_000, 4_000]) await pass(pause + 100)
  const lost = page.getByText('Connection lost. The import continues on the server.')
  await expect.element(lost).toBeVisible()
  expect(textsOf(page.getByRole('definition')), 'unknown counts').toEqual(['–', '–', '–'])
  serveStatus({ processedRecords: 400, successRecords: 390, failedRecords: 10 })
  network.on('GET /api/health', () => errorResponse(200, ''))
  await checkConnection()
  await expect
    .element(page.getByRole('progressbar', { name: 'Importing' }))
    .toHaveAttribute('aria-valuetext', '400 of 1,000 rows')
  await expect.element(lost).not.toBeInTheDocument()
  expect(textsOf(page.getByRole('definition'))).toEqual(['390', '10', '0'])
})

test('an ended import is not polled again when the connection returns', async () => {
  signInUser()
  serveStatus({ status: 'completed', processedRecords: 1000, successRecords: 1000 })
  open(`${wizard}?session=s1`)
  await expect.element(page.getByText('Import completed successfully!')).toBeVisible()
  network.on('GET /api/health', failNetwork)
  await checkConnection()
  network.on('GET /api/health', () => errorResponse(200, ''))
  await checkConnection()
  await pass(1_000)
  expect(polls()).toBe(1)
})

test('a successful poll resets the count of failed ones', async () => {
  signInUser()
  const fail = () =>
    network.on(`GET ${STATUS}`, () => errorResponse(503, 'The server is busy. Please try again in a moment.'))
  /** Advances the clock until the next poll. */
  const nextPoll = async () => {
    const before = polls()
    const passedPolls = () => pass(200).then(polls)
    await expect.poll(passedPolls, { timeout: 9_000 }).toBeGreaterThan(before)
  }
  fail()
  open(`${wizard}?session=s1`)
  for (let failed = 0; failed < 3; failed++) await nextPoll()
  serveStatus({ processedRecords: 400 })
  await nextPoll()
  fail()
  for (let failed = 0; failed < 3; failed++) await nextPoll()
  serveStatus({ status: 'completed', processedRecords: 1000, successRecords: 1000 })
  await nextPoll()
  await expect.element(page.getByText('Import completed successfully!')).toBeVisible()
})

test('an unknown import shows an error immediately', async () => {
  signInUser()
  network.on(`GET ${STATUS}`, () => errorResponse(404, 'Not found. It may have been deleted.'))
  open(`${wizard}?session=s1`)
  await expectAlert(/^Not found\. It may have been deleted\.$/)
  await pass(10_000)
  expect(polls()).toBe(1)
})

test.each([
  ['the list', '/dashboard/contacts/imports'],
  ['the wizard', `${wizard}?session=s1`],
])('at phone width %s shows the end of a long file name', async (_, address) => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  const fileName = 'customers-of-the-old-system-2026-11-20-part-2.csv'
  serveImports(importSession({ fileName }))
  serveStatus({ status: 'completed', fileName })
  open(address)
  const name = page.getByText(fileName)
  await expect.element(name).toBeVisible()
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = name.element()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight)
})

test('in a narrow window the text of a long button wraps', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  // In a window of 320 px, the longer texts of other languages have no space.
  await page.viewport(250, 740)
  signInUser()
  serveStatus({ status: 'completed', processedRecords: 1000, successRecords: 985, failedRecords: 15 })
  open(`${wizard}?session=s1`)
  const button = page.getByRole('button', { name: 'Download rows with problems' })
  await expect.element(button).toBeVisible()
  const { left, right } = button.element().getBoundingClientRect()
  expect(left).toBeGreaterThan(0)
  expect(right).toBeLessThan(250)
  expect(button.element().scrollWidth).toBe(button.element().clientWidth)
})

test('Close begins a new import', async () => {
  signInUser()
  serveStatus({ status: 'completed', processedRecords: 1000, successRecords: 1000 })
  const app = open(`${wizard}?session=s1`)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.element(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await expect.poll(app.address).toBe(wizard)
})

test('without create permission there is no wizard', async () => {
  signInUser({ can_read: true, can_create: false, can_update: false, can_delete: false })
  open(wizard)
  await expect.element(page.getByText("You can't import contacts")).toBeVisible()
  expect(page.getByRole('button', { name: 'Choose a file' }).elements()).toHaveLength(0)
})

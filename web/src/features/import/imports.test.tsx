import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ImportSession, Permissions } from '~/core'
import { importSession, serveImports } from '~/test/imports'
import { delayResponse, errorResponse, network } from '~/test/network'
import {
  contactsResource,
  expectAlert,
  moduleResource,
  open,
  servePermissions,
  signInUser,
} from '~/test/open'
import { noPermissions, readPermission } from '~/test/rights'

const LIST = '/api/contacts/imports'
const STATUS = '/api/contacts/import/status/s1'
const CANCEL = '/api/contacts/import/cancel/s1'
const FAILED = '/api/contacts/imports/s1/failed.csv'
const imports = '/dashboard/contacts/imports'
const progress = `${imports}/new?session=s1`

const running: Partial<ImportSession> = {
  status: 'processing',
  processedRecords: 400,
  successRecords: 390,
  failedRecords: 10,
}

/** Sets the fake server's response to requests for the import's status. */
const serveStatus = (session: Partial<ImportSession>) =>
  network.on(`GET ${STATUS}`, () => ({ body: { success: true, session: importSession(session) } }))

const row = (file: string) => page.getByRole('listitem').filter({ hasText: file })

/** Replaces the browser's downloads. Returns a list to which the name and text of each downloaded file is added. */
function recordDownloads() {
  const files: { name: string; text: Promise<string> }[] = []
  let blob: Blob | undefined
  vi.spyOn(URL, 'createObjectURL').mockImplementation(file => {
    blob = file as Blob
    return 'blob:saved'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    if (this.download && blob) files.push({ name: this.download, text: blob.text() })
  })
  return files
}

// Only `setTimeout` is faked, for the pauses between polls.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('the numbers of imports with different buttons are below each other', async () => {
  signInUser()
  serveImports(importSession({ failedRecords: 15 }), importSession({ sessionId: 's2', fileName: 'b.csv' }))
  open(imports)
  await expect.element(row('b.csv').getByText('With problems', { exact: true })).toBeVisible()
  const lefts = ['kunder.csv', 'b.csv'].map(
    file => row(file).getByText('With problems', { exact: true }).element().getBoundingClientRect().left,
  )
  expect(lefts[0]).toBe(lefts[1])
})

test('an import shows its user, file, time and results', async () => {
  signInUser()
  serveImports(
    importSession({
      successRecords: 985,
      failedRecords: 15,
      leftOutRecords: 3,
      duplicateRecords: 2,
      endedAt: '2026-11-20T08:01:05Z',
    }),
  )
  open(imports)
  const shown = row('kunder.csv')
  await expect.element(shown).toHaveTextContent('1.7 MB · 1,003 rows, including 2 duplicates · Ada Lind')
  await expect.element(shown).toHaveTextContent('took 1 min 5 s')
  await expect.element(shown.getByText('Completed')).toBeVisible()
  const figures = shown.getByRole('definition').elements()
  expect(figures.map(figure => figure.textContent)).toEqual(['985', '15', '3'])
  const time = shown.element().querySelector('time')
  expect(time?.title, 'the exact time').toContain('2026')
  await expect
    .element(shown.getByRole('link', { name: 'View contacts from kunder.csv' }))
    .toHaveAttribute('href', '/dashboard/contacts?importBatchId=s1')
  await expect.element(page.getByText('Showing 1 to 1 of 1 import')).toBeVisible()
})

test('the URL selects the page of imports, and the footer links to the others', async () => {
  signInUser()
  serveImports(
    ...Array.from({ length: 45 }, (_, n) => importSession({ sessionId: `s${n}`, fileName: `${n}.csv` })),
  )
  const app = open(`${imports}?page=2`)
  await expect.element(page.getByText('Showing 21 to 40 of 45 imports')).toBeVisible()
  await expect.element(row('20.csv')).toBeVisible()
  await page.getByRole('link', { name: 'Page 3' }).click()
  await expect.element(page.getByText('Showing 41 to 45 of 45 imports')).toBeVisible()
  await expect.poll(app.address).toBe(`${imports}?page=3`)
})

test('the list offers to show imports of others, but not the progress that it shows already', async () => {
  signInUser()
  serveImports(importSession({ ...running, userId: 'u2' }))
  serveStatus(running)
  open(imports)
  await expect.element(row('kunder.csv').getByRole('progressbar')).toBeVisible()
  const tab = new BroadcastChannel('forecourt-live u1')
  onTestFinished(() => tab.close())
  const change = { type: 'changed', resource: 'contacts', action: 'imported' }
  const offer = page.getByRole('button', { name: /Show$/ })
  tab.postMessage({ ...change, by: 'u2' })
  tab.postMessage({ ...change, resource: 'contacts.imports', ids: ['s9'], action: 'deleted', by: 'u3' })
  await expect.element(offer).toHaveTextContent('1 change · Show')
  tab.postMessage({ ...change, by: 'u3' })
  await expect.element(offer).toHaveTextContent('New changes · Show')
  serveImports(importSession({ sessionId: 's2', fileName: 'good.csv' }))
  await offer.click()
  await expect.element(row('good.csv')).toBeVisible()
})

test("once a listed import has ended, the list offers to show its user's next one", async () => {
  signInUser()
  serveImports(importSession({ ...running, userId: 'u2' }))
  serveStatus({ userId: 'u2' })
  open(imports)
  await expect.element(row('kunder.csv').getByText('Completed')).toBeVisible()
  const tab = new BroadcastChannel('forecourt-live u1')
  onTestFinished(() => tab.close())
  tab.postMessage({ type: 'changed', resource: 'contacts', action: 'imported', by: 'u2' })
  await expect.element(page.getByRole('button', { name: /Show$/ })).toHaveTextContent('New changes · Show')
})

test('an empty list explains what imports are for', async () => {
  signInUser()
  serveImports()
  open(imports)
  await expect.element(page.getByText('No imports yet')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Import the first file' })).toBeVisible()
})

test("a user with only read permission can't start or cancel an import", async () => {
  signInUser({ can_read: true, can_create: false, can_update: false, can_delete: false })
  serveImports(importSession(running))
  open(imports)
  await expect.element(row('kunder.csv')).toBeVisible()
  expect(page.getByRole('link', { name: 'Import Contacts' }).elements()).toHaveLength(0)
  expect(page.getByRole('button', { name: /^Cancel/ }).elements()).toHaveLength(0)
  await expect.element(page.getByRole('button', { name: /^Download/ })).toBeVisible()
})

/** Signs in a user with these permissions on contacts and on imported files. */
function signInWith(onContacts: Permissions, onImports: Permissions) {
  signInUser()
  const part = { ...moduleResource('contacts.imports', 'Imports', onImports), route: imports }
  const contacts = { ...contactsResource(onContacts), has_subresources: true, subresources: [part] }
  servePermissions(contacts)
}

test('a user without access to contacts sees no links to contacts or failed rows', async () => {
  signInWith(noPermissions, readPermission)
  serveImports(importSession({ successRecords: 985, failedRecords: 15 }))
  open(imports)
  await expect.element(row('kunder.csv')).toHaveTextContent('985')
  expect(page.getByRole('button', { name: /^Download/ }).elements()).toHaveLength(0)
  expect(page.getByRole('link', { name: /^View contacts/ }).elements()).toHaveLength(0)
})

test('a user with only read permission sees progress by polling the list', async () => {
  signInUser({ can_read: true, can_create: false, can_update: false, can_delete: false })
  serveImports(importSession(running))
  open(imports)
  const bar = page.getByRole('progressbar')
  await expect.element(bar).toHaveAttribute('aria-valuetext', '400 of 1,000 rows')
  serveImports(importSession({ ...running, processedRecords: 700 }))
  await vi.advanceTimersByTimeAsync(300)
  await expect.element(bar).toHaveAttribute('aria-valuetext', '700 of 1,000 rows')
  serveImports()
  await vi.advanceTimersByTimeAsync(1_000)
  serveImports(importSession())
  await vi.advanceTimersByTimeAsync(3_000)
  await expect.element(row('kunder.csv').getByText('Completed')).toHaveClass('text-success')
  expect(network.requests(STATUS)).toHaveLength(0)
})

test('a list that failed to load can be retried', async () => {
  signInUser()
  network.on(`GET ${LIST}`, () => errorResponse(503, 'The server is busy. Please try again in a moment.'))
  open(imports)
  await expectAlert('The server is busy.')
  await expect.element(page.getByText('Failed to load imports')).toBeVisible()
  serveImports(importSession())
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(row('kunder.csv')).toBeVisible()
})

test('a user without access to imports sees so', async () => {
  signInUser()
  network.on(`GET ${LIST}`, () => errorResponse(403, 'You have no permission to do this'))
  open(imports)
  await expect.element(page.getByText("You don't have access to imports")).toBeVisible()
})

test('a running import is updated in the list until it ends', async () => {
  signInUser()
  serveImports(importSession(running), importSession({ sessionId: 's2', fileName: 'old.csv' }))
  serveStatus({ ...running, processedRecords: 700 })
  open(imports)
  const bar = page.getByRole('progressbar')
  await expect.element(bar).toHaveAttribute('aria-valuetext', '400 of 1,000 rows')
  expect(network.requests(STATUS), 'polls before the pause ends').toHaveLength(0)
  await vi.advanceTimersByTimeAsync(300)
  await expect.element(bar).toHaveAttribute('aria-valuetext', '700 of 1,000 rows')
  serveStatus({ successRecords: 990, failedRecords: 10 })
  await vi.advanceTimersByTimeAsync(1_000)
  await expect.element(row('kunder.csv').getByText('Completed')).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  expect(network.requests(STATUS)).toHaveLength(2)
  expect(
    network.requests('/api/contacts/import/status/s2'),
    'no status requests for a finished import',
  ).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(network.requests(STATUS), 'polls after the end').toHaveLength(2)
})

test("an import whose status can't be loaded shows so in its row", async () => {
  signInUser()
  serveImports(importSession({ status: 'pending', totalRecords: 0, processedRecords: 0, successRecords: 0 }))
  network.on(`GET ${STATUS}`, () => {
    throw new TypeError('Failed to fetch')
  })
  open(imports)
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', 'Waiting to start')
  for (const pause of [300, 1_000, 2_000, 4_000]) await vi.advanceTimersByTimeAsync(pause + 100)
  await expect.element(page.getByText('Connection lost. The import continues on the server.')).toBeVisible()
})

test('a failed import shows its reason; a differing result shows a warning', async () => {
  signInUser()
  const userNameMessage = { code: 'users.deleted_user', text: 'Removed user' }
  serveImports(
    importSession({ status: 'failed', message: 'This workbook is damaged.', successRecords: 0 }),
    importSession({ sessionId: 's2', fileName: 'other.csv', differs: true }),
    importSession({ sessionId: 's3', fileName: 'ended.csv', status: 'cancelled', userNameMessage }),
  )
  open(imports)
  await expect.element(row('kunder.csv').getByText('This workbook is damaged.')).toBeVisible()
  expect(row('kunder.csv').getByRole('link').elements(), 'it brought no contacts').toHaveLength(0)
  await expect
    .element(row('other.csv'))
    .toHaveTextContent('The server checked this file with a different result than the browser.')
  await expect.element(row('ended.csv').getByText('Cancelled')).toBeVisible()
  await expect.element(row('ended.csv')).toHaveTextContent('Removed user')
})

test('the rows with problems can be downloaded as the server sends them, if there are any', async () => {
  signInUser()
  serveImports(importSession({ failedRecords: 15 }), importSession({ sessionId: 's2', fileName: 'good.csv' }))
  network.on(`GET ${FAILED}`, () => ({ body: 'Namn,Problem' }))
  const files = recordDownloads()
  open(imports)
  await page.getByRole('button', { name: 'Download the rows with problems of kunder.csv' }).click()
  await expect.poll(() => files.map(file => file.name)).toEqual(['kunder - rows with problems.csv'])
  expect(await files[0]?.text).toBe('"Namn,Problem"')
  expect(network.requests(FAILED)[0]?.token).toMatch(/^Bearer /)
  expect(
    row('good.csv')
      .getByRole('button', { name: /^Download/ })
      .elements(),
  ).toHaveLength(0)
})

test('a failed download shows its error in the row', async () => {
  signInUser()
  serveImports(importSession({ failedRecords: 15 }))
  network.on(`GET ${FAILED}`, () => errorResponse(404, 'Not found. It may have been deleted.'))
  const files = recordDownloads()
  open(imports)
  await page.getByRole('button', { name: /^Download/ }).click()
  await expect.element(row('kunder.csv').getByRole('alert')).toHaveTextContent('Not found.')
  expect(files).toEqual([])
})

test('cancelling asks for confirmation and shows the result immediately', async () => {
  signInUser()
  serveImports(importSession(running))
  const release = delayResponse(`POST ${CANCEL}`, () => ({ body: { success: true, message: 'Cancelled' } }))
  open(imports)
  await page.getByRole('button', { name: 'Cancel the import of kunder.csv' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel import' })
  await expect.element(dialog).toHaveTextContent('Contacts imported so far are kept.')
  await dialog.getByRole('button', { name: 'Keep importing' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(network.requests(CANCEL)).toHaveLength(0)
  await page.getByRole('button', { name: 'Cancel the import of kunder.csv' }).click()
  await dialog.getByRole('button', { name: 'Cancel import' }).click()
  serveStatus({ ...running, status: 'cancelled' })
  release()
  await expect.element(row('kunder.csv').getByText('Cancelled')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(network.requests(CANCEL)).toHaveLength(1)
})

test('a failed cancellation shows its error in the dialog', async () => {
  signInUser()
  serveImports(importSession(running))
  network.on(`POST ${CANCEL}`, () => errorResponse(409, 'This import has already ended'))
  open(imports)
  await page.getByRole('button', { name: 'Cancel the import of kunder.csv' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel import' })
  await dialog.getByRole('button', { name: 'Cancel import' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This import has already ended')
})

test('the wizard can cancel its running import', async () => {
  signInUser()
  serveStatus(running)
  network.on(`POST ${CANCEL}`, () => {
    serveStatus({ ...running, status: 'cancelled' })
    return { body: { success: true, message: 'Cancelled' } }
  })
  open(progress)
  await page.getByRole('button', { name: 'Cancel import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel import' }).click()
  await expect
    .element(page.getByText('The import was cancelled. The contacts imported until then are kept.'))
    .toBeVisible()
  expect(page.getByRole('alert').elements(), 'the cancellation is no error').toHaveLength(0)
  expect(page.getByRole('button', { name: 'Cancel import' }).elements()).toHaveLength(0)
  await expect.element(page.getByRole('progressbar', { name: 'Ended' })).toBeVisible()
})

test('the wizard ends with a summary and links to failed rows and contacts', async () => {
  signInUser()
  serveStatus({
    successRecords: 985,
    failedRecords: 15,
    leftOutRecords: 3,
    duplicateRecords: 2,
    differs: true,
    endedAt: '2026-11-20T08:00:12Z',
  })
  network.on(`GET ${FAILED}`, () => ({ body: 'Namn,Problem' }))
  const files = recordDownloads()
  open(progress)
  await expect.element(page.getByText('Import completed successfully!')).toBeVisible()
  const figures = page.getByRole('definition').elements()
  expect(figures.map(figure => figure.textContent)).toEqual(['985', '15', '3'])
  await expect.element(page.getByText('1,003 rows, including 2 duplicates', { exact: true })).toBeVisible()
  await expect.element(page.getByText('It took 12 s.')).toBeVisible()
  await expect.element(page.getByText('with a different result', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Download rows with problems' }).click()
  await expect.poll(() => files).toHaveLength(1)
  await expect
    .element(page.getByRole('link', { name: 'View contacts' }))
    .toHaveAttribute('href', '/dashboard/contacts?importBatchId=s1')
})

test('an import without new contacts links to all contacts', async () => {
  signInUser()
  serveStatus({ status: 'failed', message: 'This workbook is damaged.', successRecords: 0, totalRecords: 0 })
  open(progress)
  await expect
    .element(page.getByRole('link', { name: 'View contacts' }))
    .toHaveAttribute('href', '/dashboard/contacts')
  expect(page.getByRole('button', { name: 'Download rows with problems' }).elements()).toHaveLength(0)
})

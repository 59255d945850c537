import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { CorporationFigures, PlatformFigures } from '~/core'
import { delayResponse, errorResponse, network } from '~/test/network'
import { contactsResource, moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { allPermissions } from '~/test/rights'

const signUp: CorporationFigures = {
  corp_id: 'c-1',
  name: 'Åbergs Bilhandel AB',
  city: 'Västerås',
  active: false,
  admin_name: 'Karin Åberg',
  admin_email: 'karin@aberg.example',
  users: 1,
  active_users: 0,
  records: 0,
  created_at: '2026-11-26T08:00:00Z',
}

const platformFigures: PlatformFigures = {
  corporations: 3,
  new_corporations: 1,
  users: 12,
  active_users: 5,
  records: 8_410,
  waiting_count: 1,
  waiting: [signUp],
  active: [
    {
      corp_id: 'c-2',
      name: 'Nordbil AB',
      city: 'Umeå',
      active: true,
      admin_name: 'Ada Lindqvist',
      admin_email: 'admin@nordbil.example',
      users: 11,
      active_users: 5,
      records: 8_410,
      created_at: '2025-01-10T08:00:00Z',
      last_active: '2026-11-27T08:00:00Z',
    },
  ],
  imports: [
    {
      id: 'i-1',
      corporation: 'Nordbil AB',
      file_name: 'book.xlsx',
      status: 'processing',
      total: 100_000,
      processed: 84_120,
    },
  ],
  bans: [
    {
      user_id: 'u-1',
      name: 'Per Lundin',
      corp_id: 'c-2',
      corporation: 'Nordbil AB',
      reason: 'Left the company',
      banned_at: '2026-11-20T08:00:00Z',
    },
  ],
  version: '2.0.0',
  database: 'SQLite',
  database_bytes: 61_000_000,
  disk: { free_bytes: 42_000_000_000, total_bytes: 252_000_000_000 },
}

function openPlatform(figures: PlatformFigures = platformFigures) {
  signInUser()
  servePermissions(
    contactsResource(allPermissions),
    moduleResource('corporations', 'Corporations', allPermissions),
  )
  network.on('GET /api/dashboard', () => ({ body: { success: true, data: { imports: [] } } }))
  network.on('GET /api/platform', () => ({ body: { success: true, data: figures } }))
  return open('/dashboard')
}

const main = page.getByRole('main')
const card = (name: string) => main.getByRole('region', { name })

test("the platform's administrator sees corporations, imports, bans and the installation", async () => {
  openPlatform()
  await expect.element(main.getByText('Signed in, 7 days')).toBeVisible()
  // The number of corporations includes those that wait for approval, which the card leaves out.
  await expect.element(main.getByText('1 new this month · 1 not approved yet')).toBeVisible()
  const corporations = card('Corporations')
  await expect
    .element(corporations.getByRole('row', { name: /Nordbil AB/ }))
    .toHaveTextContent(/5 of 118,410/)
  await expect
    .element(corporations.getByRole('link', { name: 'Nordbil AB' }))
    .toHaveAttribute('href', '/dashboard/corporations/c-2/users')
  await expect
    .element(card('Running imports').getByRole('progressbar'))
    .toHaveAttribute('aria-valuetext', '84,120 of 100,000 rows')
  await expect.element(card('Recent bans').getByText('Left the company')).toBeVisible()
  await expect.element(card('This installation').getByText('61.0 MB')).toBeVisible()
  await expect.element(card('This installation').getByText('42.0 GB of 252 GB')).toBeVisible()
  expect(main.getByText('Total Invoices').elements()).toHaveLength(0)
})

const organization = {
  organization_number: '559301-4471',
  corp_name: 'Åbergs Bilhandel AB',
  city: 'Västerås',
}

/** Makes the fake server accept the approval of `signUp`. */
function serveApproval() {
  network.on('GET /api/corporations/c-1/full-details', () => ({
    body: {
      success: true,
      data: {
        corporation: { corp_id: 'c-1', version: 4 },
        organization: { ...organization, legalId: '559301-4471' },
      },
    },
  }))
  network.on('PUT /api/orgs/update', () => ({ body: { success: true, data: {} } }))
}

test('a sign-up is reviewed on its page, by its id', async () => {
  openPlatform()
  await expect
    .element(main.getByRole('link', { name: 'Review Åbergs Bilhandel AB' }))
    .toHaveAttribute('href', '/dashboard/corporations/c-1/users')
})

test('a sign-up is approved with all its company details', async () => {
  openPlatform()
  serveApproval()
  await main.getByRole('button', { name: 'Approve Åbergs Bilhandel AB' }).click()
  const dialog = page.getByRole('dialog')
  await expect
    .element(dialog.getByText('Karin Åberg will be able to sign in, and to add users.'))
    .toBeVisible()
  network.on('GET /api/platform', () => ({
    body: { success: true, data: { ...platformFigures, waiting: [], waiting_count: 0 } },
  }))
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect.element(page.getByText('Åbergs Bilhandel AB is active.')).toBeVisible()
  const sent = network.requests('/api/orgs/update')[0]?.body
  expect(sent).toMatchObject({ ...organization, corp_id: 'c-1', corp_active: true, version: 4 })
  await expect.poll(() => card('Sign-ups waiting for approval').elements()).toHaveLength(0)
  await expect.element(card('Corporations').getByRole('heading')).toHaveFocus()
})

test('after an approval the figures stay while they load, and the heading gets the focus', async () => {
  const other = { ...signUp, corp_id: 'c-3', name: 'Bergs Bil AB' }
  openPlatform({ ...platformFigures, waiting: [signUp, other], waiting_count: 2 })
  serveApproval()
  await main.getByRole('button', { name: 'Approve Åbergs Bilhandel AB' }).click()
  const release = delayResponse('GET /api/platform', () => ({
    body: { success: true, data: { ...platformFigures, waiting: [other], waiting_count: 1 } },
  }))
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => network.requests('/api/platform').length).toBe(2)
  const waiting = card('Sign-ups waiting for approval')
  await expect.element(waiting.getByText('Åbergs Bilhandel AB')).toBeVisible()
  release()
  await expect.element(waiting.getByText('Åbergs Bilhandel AB')).not.toBeInTheDocument()
  await expect.element(waiting.getByRole('heading')).toHaveFocus()
})

test('a sign-up that someone else has declined disappears once the dialog is closed', async () => {
  openPlatform()
  network.on('GET /api/corporations/c-1/full-details', () => errorResponse(404, 'Not found'))
  await main.getByRole('button', { name: 'Approve Åbergs Bilhandel AB' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Someone else has declined or deleted')
  expect(dialog.getByRole('button', { name: 'Approve' }).elements()).toHaveLength(0)
  network.on('GET /api/platform', () => ({
    body: { success: true, data: { ...platformFigures, waiting: [], waiting_count: 0 } },
  }))
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => card('Sign-ups waiting for approval').elements()).toHaveLength(0)
  await expect.element(card('Corporations').getByRole('heading')).toHaveFocus()
})

test('the administrator of a new platform sees a link to the corporations', async () => {
  openPlatform({ ...platformFigures, corporations: 0, waiting: [], waiting_count: 0, active: [] })
  await expect
    .element(main.getByRole('link', { name: 'Go to corporations' }))
    .toHaveAttribute('href', '/dashboard/corporations')
  expect(main.getByRole('link', { name: 'Import Contacts' }).elements()).toHaveLength(0)
})

test('new sign-ups appear after a minute, and when the user returns to the page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const requests = () => network.requests('/api/platform').length
  const idle = { ...platformFigures, imports: [] }
  openPlatform({ ...idle, waiting: [], waiting_count: 0 })
  const corporations = card('Corporations')
  await expect.element(corporations).toBeVisible()
  const release = delayResponse('GET /api/platform', () => ({ body: { success: true, data: idle } }))
  await expect
    .poll(() => {
      vi.advanceTimersByTime(20_000)
      return requests()
    })
    .toBe(2)
  // The earlier figures stay while the new ones load.
  await expect.element(corporations).toBeVisible()
  release()
  const waiting = card('Sign-ups waiting for approval')
  await expect.element(waiting.getByText('Åbergs Bilhandel AB')).toBeVisible()
  const other = { ...signUp, corp_id: 'c-3', name: 'Bergs Bil AB' }
  network.on('GET /api/platform', () => ({
    body: { success: true, data: { ...idle, waiting: [signUp, other], waiting_count: 2 } },
  }))
  const later = Date.now() + 10_000
  vi.spyOn(Date, 'now').mockImplementation(() => later)
  await expect
    .poll(() => {
      window.dispatchEvent(new Event('focus'))
      return requests()
    })
    .toBe(3)
  await expect.element(waiting.getByText('Bergs Bil AB')).toBeVisible()
})

test('running imports update until none runs, also after a failed request', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const requests = () => network.requests('/api/platform').length
  const nextRequest = async () => {
    const before = requests()
    await expect
      .poll(() => {
        vi.advanceTimersByTime(1_000)
        return requests()
      })
      .toBeGreaterThan(before)
  }
  openPlatform()
  const bar = card('Running imports').getByRole('progressbar')
  await expect.element(bar).toHaveAttribute('aria-valuetext', '84,120 of 100,000 rows')
  network.on('GET /api/platform', () => errorResponse(503, 'The server is busy.'))
  await nextRequest()
  await expect.element(bar).toHaveAttribute('aria-valuetext', '84,120 of 100,000 rows')
  const imports = platformFigures.imports.map(file => ({ ...file, processed: 99_000 }))
  network.on('GET /api/platform', () => ({
    body: { success: true, data: { ...platformFigures, imports } },
  }))
  await nextRequest()
  await expect.element(bar).toHaveAttribute('aria-valuetext', '99,000 of 100,000 rows')
  network.on('GET /api/platform', () => ({
    body: { success: true, data: { ...platformFigures, imports: [] } },
  }))
  await nextRequest()
  await expect.element(card('Running imports').getByText('No import is running.')).toBeVisible()
  const last = requests()
  vi.advanceTimersByTime(10_000)
  expect(requests()).toBe(last)
})

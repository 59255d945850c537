import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  corporation,
  pageOf,
  serveCorporationCount,
  serveCorporations,
  serveKestrel,
  signInPlatformAdministrator,
  user,
} from '~/test/corporations'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, open, signInUser } from '~/test/open'

const banned = { isBanned: true, reason: 'Sold the address book', bannedAt: '2026-11-20T08:00:00Z' }

test('a page has 15 corporations, and pagination at most three numbers', async () => {
  signInPlatformAdministrator()
  serveCorporationCount(100)
  open('/dashboard/corporations?page=3')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Corporations' })).toBeVisible()
  await expect.element(page.getByText('Manage your corporations')).toBeVisible()
  await expect.element(page.getByText('Showing 31 to 45 of 100 items')).toBeVisible()
  const pages = page.getByRole('navigation', { name: 'Pagination' }).element()
  expect([...pages.querySelectorAll('li')].map(item => item.textContent)).toEqual(['2', '3', '4'])
})

test('a row shows number, resources and status', async () => {
  signInPlatformAdministrator()
  const empty = { allowed_resources_names: [], organization_number: '' }
  const suspended = corporation(2, { ...empty, corp_active: false })
  const waiting = corporation(3, { ...empty, corp_active: false, awaits_approval: true })
  serveCorporations(corporation(1), suspended, waiting)
  open('/dashboard/corporations')
  await expect
    .element(page.getByRole('row', { name: /Bil 1 AB 559360-1001 Customers, Contacts Active/ }))
    .toBeVisible()
  await expect.element(page.getByRole('row', { name: /Bil 2 AB None Inactive/ })).toBeVisible()
  const badge = page.getByRole('row', { name: /Bil 3 AB None Waiting for approval/ }).getByText('Waiting')
  const cell = badge.element().closest('td')
  expect(cell?.scrollWidth, 'the badge is not cut').toBe(cell?.clientWidth)
})

test('at phone width a row shows number and status', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInPlatformAdministrator()
  network.on('GET /api/corporations', () => ({
    body: { success: true, data: [corporation(1, { corp_active: false })], totalItems: 1, totalPages: 1 },
  }))
  open('/dashboard/corporations')
  const row = page.getByRole('list', { name: 'Corporations' }).getByRole('listitem')
  await expect.element(row).toHaveTextContent('Bil 1 AB559360-1001 Status: Inactive')
  await expect.element(row).not.toHaveTextContent('Customers')
})

test('on a tablet a row shows the whole name, the status and the resources', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(768, 1024)
  signInPlatformAdministrator()
  const corp_name = 'Bilhuset Sundsvall Aktiebolag'
  network.on('GET /api/corporations', () => ({
    body: { success: true, data: [corporation(1, { corp_name })], totalItems: 1, totalPages: 1 },
  }))
  open('/dashboard/corporations')
  const row = page.getByRole('list', { name: 'Corporations' }).getByRole('listitem')
  await expect.element(row).toHaveTextContent(/Status: Active\s· Resources: Customers, Contacts$/)
  const name = row.getByRole('link', { name: corp_name }).element()
  expect(name.scrollWidth).toBe(name.clientWidth)
})

test('on a tablet no line of resources that wrap is cut off', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(768, 1024)
  signInPlatformAdministrator()
  const allowed_resources_names = Array.from({ length: 20 }, (_, index) => `Resource ${index}`)
  network.on('GET /api/corporations', () => ({
    body: {
      success: true,
      data: [corporation(1, { allowed_resources: [], allowed_resources_names })],
      totalItems: 1,
      totalPages: 1,
    },
  }))
  open('/dashboard/corporations')
  const text = page.getByText(/Resource 0, Resource 1,/)
  await expect.element(text).toBeVisible()
  const resources = text.element()
  const lines = [...resources.getClientRects()]
  expect(lines.length).toBeGreaterThan(1)
  const clip = resources.closest('p')?.parentElement?.getBoundingClientRect()
  for (const line of lines) expect(line.left).toBeGreaterThanOrEqual(clip?.left ?? Number.NaN)
})

test('a search is in the URL and can be cleared', async () => {
  signInPlatformAdministrator()
  network.on('GET /api/corporations', call => pageOf(call.query.get('search') ? 0 : 3, call))
  const app = open('/dashboard/corporations')
  await page.getByRole('searchbox', { name: 'Search corporations' }).fill('zzz')
  await expect.element(page.getByRole('heading', { name: /^No corporations found$/ })).toBeVisible()
  await expect.element(page.getByText('No name, number, city, contact or email matches “zzz”.')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/corporations?search=zzz')
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect.element(page.getByText('Showing 1 to 3 of 3 items')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/corporations?view=all')
})

test('an empty list says so, and a failed request can be retried', async () => {
  signInPlatformAdministrator()
  network.on('GET /api/corporations', () => errorResponse(503, 'The server is busy.'))
  open('/dashboard/corporations')
  await expectAlert(/Failed to load corporations.*The server is busy/)
  serveCorporationCount(0)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByRole('heading', { name: 'No corporations found' })).toBeVisible()
})

test('a missing read permission is reported', async () => {
  signInUser()
  network.on('GET /api/corporations', () => errorResponse(403, 'Ask an administrator.'))
  open('/dashboard/corporations')
  await expect
    .element(page.getByRole('heading', { name: "You don't have access to corporations" }))
    .toBeVisible()
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
})

test('a click in a row opens its users, and the link back returns to the page', async () => {
  signInPlatformAdministrator()
  serveCorporationCount(20)
  network.on('GET /api/corporations/c-16', () => ({ body: { success: true, data: corporation(16) } }))
  network.on('GET /api/corporations/c-16/users', () => ({
    body: { success: true, data: [user('u9', 'Bo')], totalItems: 1 },
  }))
  const app = open('/dashboard/corporations?page=2')
  // Clicks the middle of the row, where there is no text.
  await page.getByRole('row', { name: /Bil 16 AB/ }).click()
  await expect.element(page.getByText('Users for Bil 16 AB')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/corporations/c-16/users')
  await page.getByRole('link', { name: 'Corporations' }).click()
  await expect.poll(app.address).toBe('/dashboard/corporations?page=2')
  await page.getByRole('link', { name: 'View users of Bil 16 AB' }).click()
  await expect.element(page.getByText('Users for Bil 16 AB')).toBeVisible()
})

test('the users of a corporation are shown with role and status', async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [
    user('u2', 'Grace', { mobile: '+44 1', type: 'Admin', UserRole: { role_id: 'r1', name: 'Sales' } }),
    user('u3', 'Bo', { is_active: false }),
    user('u4', 'Cy', { ban: banned }),
  ])
  open('/dashboard/corporations/c-1/users')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Corporation Users' })).toBeVisible()
  await expect.element(page.getByText('Users for Kestrel Cars Ltd')).toBeVisible()
  await expect.poll(() => document.title).toMatch(/^Kestrel Cars Ltd · /)
  const row = (name: RegExp) => page.getByRole('row', { name })
  await expect.element(row(/Grace Whitfield u2@kestrel.example \+44 1 Admin Sales Active/)).toBeVisible()
  await expect.element(row(/Bo Whitfield u3@kestrel.example N\/A User N\/A Inactive/)).toBeVisible()
  await expect.element(row(/Cy Whitfield .* Banned/)).toBeVisible()
})

test('banning a user needs a reason, and a second click is ignored', async () => {
  signInPlatformAdministrator()
  let ban: typeof banned | undefined
  serveKestrel(() => [user('u2', 'Grace', { ban })])
  const release = delayResponse('POST /api/corporations/users/u2/ban', ({ body }) => {
    ban = { ...banned, ...(body as object) }
    return { body: { success: true, message: 'User banned. They were signed out everywhere.' } }
  })
  open('/dashboard/corporations/c-1/users')
  await page.getByRole('button', { name: 'Ban Grace Whitfield' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ban Grace Whitfield?' })
  const submit = dialog.getByRole('button', { name: 'Ban user' })
  await submit.click()
  await expect.element(dialog.getByText('Reason is required')).toBeVisible()
  const reason = dialog.getByRole('textbox', { name: 'Reason' })
  await expect.element(reason).toHaveFocus()
  await reason.fill('Spam')
  await userEvent.keyboard('{Enter}')
  expect(network.requests('/api/corporations/users/u2/ban')).toHaveLength(0)
  await submit.click()
  await expect.element(submit).toHaveAttribute('aria-busy', 'true')
  await submit.click()
  release()
  await expect.element(page.getByText('User banned. They were signed out everywhere.').first()).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Grace Whitfield .* Banned/ })).toBeVisible()
  const calls = network.requests('/api/corporations/users/u2/ban')
  expect(calls.map(call => call.body)).toEqual([{ reason: 'Spam\n' }])
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test("if a user can't be banned, the error is shown and the reason is kept", async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [user('u2', 'Grace')])
  const last = "This is the platform's last active Super Admin. Add another one first."
  network.on('POST /api/corporations/users/u2/ban', () => errorResponse(409, last))
  open('/dashboard/corporations/c-1/users')
  await page.getByRole('button', { name: 'Ban Grace Whitfield' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Spam')
  await page.getByRole('button', { name: 'Ban user' }).click()
  await expectAlert(last)
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('Spam')
})

test("lifting a user's ban shows its reason and asks for confirmation", async () => {
  signInPlatformAdministrator()
  let ban: typeof banned | undefined = banned
  serveKestrel(() => [user('u2', 'Grace', { ban })])
  network.on('DELETE /api/corporations/users/u2/ban', () => {
    ban = undefined
    return { body: { success: true, message: 'The ban was lifted.' } }
  })
  open('/dashboard/corporations/c-1/users')
  await page.getByRole('button', { name: 'Lift the ban on Grace Whitfield' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lift the ban on Grace Whitfield?' })
  await expect.element(dialog.getByText('Sold the address book')).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep the ban' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  expect(network.requests('/api/corporations/users/u2/ban')).toHaveLength(0)
  const again = page.getByRole('button', { name: 'Lift the ban on Grace Whitfield' })
  await expect.element(again).toHaveFocus()
  await again.click()
  await page.getByRole('button', { name: 'Lift ban' }).click()
  await expect.element(page.getByRole('row', { name: /Grace Whitfield .* Active/ })).toBeVisible()
})

test('users cannot ban themselves', async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [user('u1', 'Ada'), user('u2', 'Grace')])
  open('/dashboard/corporations/c-1/users')
  await expect.element(page.getByRole('button', { name: 'Ban Grace Whitfield' })).toBeVisible()
  expect(page.getByRole('button', { name: /Ban Ada/ }).elements()).toHaveLength(0)
})

test('an unknown corporation is reported with a link to the list, without a retry', async () => {
  signInPlatformAdministrator()
  network.on('GET /api/corporations/x', () => errorResponse(404, 'Not found. It may have been deleted.'))
  network.on('GET /api/corporations/x/users', () =>
    errorResponse(404, 'Not found. It may have been deleted.'),
  )
  open('/dashboard/corporations/x/users')
  await expectAlert(/No corporation selected or invalid corporation ID.*It may have been deleted/)
  await expect
    .element(page.getByRole('alert').getByRole('link', { name: 'Go to corporations' }))
    .toHaveAttribute('href', '/dashboard/corporations')
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
})

test('a failed request for the users can be retried, and an empty list says so', async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [])
  network.on('GET /api/corporations/c-1/users', () => errorResponse(503, 'The server is busy.'))
  open('/dashboard/corporations/c-1/users')
  await expectAlert(/Failed to load users.*The server is busy/)
  serveKestrel(() => [])
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('No users found')).toBeVisible()
})

test('at phone width a user is a row with buttons to call and mail, and a menu of actions', async () => {
  const { innerWidth, innerHeight } = window
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  await page.viewport(360, 740)
  signInPlatformAdministrator()
  serveKestrel(() => [user('u2', 'Grace', { mobile: '+44 1' })])
  open('/dashboard/corporations/c-1/users')
  const card = page.getByRole('list', { name: 'Users' }).getByRole('listitem')
  // The status comes first and the email last, which may be cut off.
  await expect.element(card).toHaveTextContent(/Grace Whitfield Status: Active.*Email: u2@/)
  for (const text of ['u2@kestrel.example', 'User Type']) {
    await expect.element(card).toHaveTextContent(text)
  }
  const call = card.getByRole('link', { name: /Call|Phone/ })
  await expect.element(call).toHaveAttribute('href', 'tel:+441')
  await expect
    .element(card.getByRole('link', { name: 'Email Grace Whitfield' }))
    .toHaveAttribute('href', 'mailto:u2@kestrel.example')
  // A tap on the link calls instead of opening the row's menu.
  const { x, y, width, height } = call.element().getBoundingClientRect()
  expect(call.element().contains(document.elementFromPoint(x + width / 2, y + height / 2))).toBe(true)
  await card.getByRole('button', { name: 'Actions for Grace Whitfield' }).click()
  for (const action of ['Edit', 'Deactivate', 'Ban']) {
    await expect.element(page.getByRole('menuitem', { name: action })).toBeVisible()
  }
  await userEvent.keyboard('{Escape}')
  expect(document.documentElement.scrollWidth).toBe(360)
})

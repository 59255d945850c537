import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  corporation,
  serveCorporationCount,
  serveKestrel,
  signInPlatformAdministrator,
  user,
} from '~/test/corporations'
import { errorResponse, network } from '~/test/network'
import { open, textsOf } from '~/test/open'

const PATH = '/dashboard/corporations/c-1/users'
const head = (name: string) => page.getByRole('columnheader', { name })
const sortBy = (name: string) => head(name).getByRole('button').click()
const search = page.getByRole('searchbox', { name: 'Search users' })
const range = (text: string) => page.getByText(`Showing ${text}`)

/** Returns the parameters of the latest request for users. */
const latestQuery = () =>
  Object.fromEntries(network.requests('/api/corporations/c-1/users').at(-1)?.query ?? [])

function openUsers(count: number, address = PATH) {
  signInPlatformAdministrator()
  serveKestrel(({ query }) =>
    Array.from({ length: query.get('search') === 'zzz' ? 0 : count }, (_, i) => user(`u${i + 2}`, 'Grace')),
  )
  return open(address)
}

test("a page of a corporation's users has 15, and its number is in the URL", async () => {
  const app = openUsers(31)
  await expect.element(range('1 to 15 of 31 users')).toBeVisible()
  expect(latestQuery()).toEqual({ page: '1', limit: '15' })
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect.element(range('16 to 30 of 31 users')).toBeVisible()
  await expect.poll(app.address).toBe(`${PATH}?page=2`)
})

test("a search of a corporation's users is sent, and an unsuccessful one can be cleared", async () => {
  const app = openUsers(1)
  await search.fill('zzz')
  await expect.element(page.getByText('No name, email or role matches “zzz”.')).toBeVisible()
  expect(latestQuery()).toMatchObject({ search: 'zzz', page: '1' })
  await expect.poll(app.address).toBe(`${PATH}?search=zzz`)
  await page.getByRole('main').getByRole('link', { name: 'Clear search' }).click()
  await expect.element(range('1 to 1 of 1 user')).toBeVisible()
  await expect.poll(app.address).toBe(PATH)
})

test.each([
  ['Name', 'first_name,last_name'],
  ['Email', 'email'],
  ['Mobile', 'mobile'],
  ['User Type', 'user_type'],
  ['Role', 'role'],
  ['Status', 'is_banned,is_active'],
])("the header %s sorts a corporation's users by %s", async (name, sort) => {
  const app = openUsers(40, `${PATH}?page=3&search=grace`)
  await sortBy(name)
  await expect.element(head(name)).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(latestQuery).toEqual({ page: '1', limit: '15', search: 'grace', sort })
  await sortBy(name)
  await expect.element(head(name)).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => latestQuery().sort).toBe(sort.replace(/^|,/g, '$&-'))
  await sortBy(name)
  await expect.poll(app.address).toBe(`${PATH}?search=grace`)
})

test("a rejected sort order of a corporation's users is explained, and they are shown without it", async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [])
  const text = 'This list does not have that field. Use one of: first_name, email.'
  network.on('GET /api/corporations/c-1/users', () =>
    errorResponse(400, text, { fields: { 'sort.age': [text] } }),
  )
  const app = open(`${PATH}?sort=age`)
  await expect.element(page.getByRole('alert')).toHaveTextContent(text)
  serveKestrel(() => [user('u2', 'Grace')])
  await page.getByRole('link', { name: 'Show without sort and filter' }).click()
  await expect.element(page.getByRole('row', { name: /Grace Whitfield/ })).toBeVisible()
  await expect.poll(app.address).toBe(PATH)
})

test('a corporation is shown and can be declined although its list and contact are not loaded', async () => {
  signInPlatformAdministrator()
  const signUp = { awaits_approval: true, corp_active: false, corp_contact_email: 'u9@kestrel.example' }
  network.on('GET /api/corporations/c-1', () => ({ body: { success: true, data: corporation(1, signUp) } }))
  const text = 'This list does not have that field. Use one of: first_name, email.'
  network.on('GET /api/corporations/c-1/users', () =>
    errorResponse(400, text, { fields: { 'sort.age': [text] } }),
  )
  open(`${PATH}?sort=age`)
  await expect.poll(() => page.getByText(text).elements()).toHaveLength(2)
  await expect.element(page.getByText('Users for Bil 1 AB')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Add User' })).toBeVisible()
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect.element(page.getByRole('dialog', { name: 'Decline Bil 1 AB?' })).toBeVisible()
})

test("a filter of a corporation's users offers the fields of users and can be cleared", async () => {
  const filter = JSON.stringify([{ field: 'user_type', op: 'is', value: 'Admin' }])
  const app = openUsers(0, `${PATH}?${new URLSearchParams({ filter })}`)
  await expect.element(page.getByText('No users match the filter.')).toBeVisible()
  expect(latestQuery()).toMatchObject({ filter })
  await expect.element(page.getByRole('button', { name: 'Type is Admin' })).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect.poll(app.address).toBe(PATH)
})

test("at phone width a corporation's users are sorted in a panel", async () => {
  const { innerWidth, innerHeight } = window
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  await page.viewport(360, 740)
  const app = openUsers(2)
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
  await sheet.getByRole('combobox', { name: 'Sort by' }).click()
  await expect
    .poll(() => textsOf(page.getByRole('option')))
    .toEqual(['Default order', 'Name', 'Email', 'Mobile', 'User Type', 'Role', 'Status'])
  await page.getByRole('option', { name: 'Role' }).click()
  await expect.poll(app.address).toBe(`${PATH}?sort=role`)
  await expect.poll(latestQuery).toMatchObject({ sort: 'role' })
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
})

test('after a search of users, the link back leads to the same page of corporations', async () => {
  serveCorporationCount(20)
  network.on('GET /api/corporations/c-16', () => ({ body: { success: true, data: corporation(16) } }))
  network.on('GET /api/corporations/c-16/users', () => ({
    body: { success: true, data: [user('u9', 'Bo')], totalItems: 1 },
  }))
  const app = openUsers(0, '/dashboard/corporations?page=2')
  await page.getByRole('link', { name: 'View users of Bil 16 AB' }).click()
  await search.fill('bo')
  await expect.poll(app.address).toBe('/dashboard/corporations/c-16/users?search=bo')
  await page.getByRole('main').getByRole('link', { name: 'Corporations' }).click()
  await expect.poll(app.address).toBe('/dashboard/corporations?page=2')
})

test('the phone number of a sign-up is shown on each page of its users', async () => {
  const email = 'u9@kestrel.example'
  signInPlatformAdministrator()
  serveKestrel(({ query }) =>
    query.get('filter')?.includes(email) ? [user('u9', 'Ada', { mobile: '070 12 34 56' })] : [],
  )
  const signUp = { corp_active: false, awaits_approval: true, corp_contact_email: email }
  network.on('GET /api/corporations/c-1', () => ({ body: { success: true, data: corporation(1, signUp) } }))
  open(`${PATH}?search=zzz`)
  await expect.element(page.getByText('No users found')).toBeVisible()
  await expect.element(page.getByRole('link', { name: '070 12 34 56' })).toBeVisible()
})

test('the phone number of a sign-up that failed to load can be loaded again', async () => {
  signInPlatformAdministrator()
  const email = 'u9@kestrel.example'
  const signUp = { corp_active: false, awaits_approval: true, corp_contact_email: email }
  const serve = () => {
    serveKestrel(() => [user('u9', 'Ada', { email, mobile: '070 12 34 56' })])
    network.on('GET /api/corporations/c-1', () => ({ body: { success: true, data: corporation(1, signUp) } }))
  }
  serve()
  network.on('GET /api/corporations/c-1/users', ({ query }) =>
    query.get('filter')?.includes(email)
      ? errorResponse(500, 'The server is busy.')
      : { body: { success: true, data: [], totalItems: 0 } },
  )
  open(PATH)
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server is busy.')
  serve()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByRole('link', { name: '070 12 34 56' }).first()).toBeVisible()
  await expect.poll(() => page.getByRole('alert').elements()).toHaveLength(0)
})

import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core } from '~/core'
import { drafts, IMPORT_DRAFTS } from '~/lib/drafts'
import { disconnect } from '~/test/connection'
import { contact, serveContactCount } from '~/test/contacts'
import { errorResponse, network } from '~/test/network'
import { closeAll, expectAlert, open, signInUser, token } from '~/test/open'
import { sessionEnd } from './sessionEnd'

test('without tokens a page redirects to the login page, whose URL contains the page', async () => {
  const app = open('/dashboard/contacts?page=2')
  await expect.poll(app.address).toBe('/login?next=%2Fdashboard%2Fcontacts%3Fpage%3D2')
})

test('an access token without a refresh token is not a session', async () => {
  localStorage.setItem('accessToken', token('Admin'))
  const app = open('/dashboard')
  await expect.poll(app.address).toBe('/login?next=%2Fdashboard')
})

test.each([
  ['/nonsense', '/'],
  ['/dashboard/nonsense', '/login?next=%2Fdashboard%2Fnonsense'],
])('the unknown URL %s redirects signed-out users to the login page', async (address, login) => {
  const app = open(address)
  await expect.element(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect.poll(app.address).toBe(login)
})

test('the login page redirects signed-in users', async () => {
  signInUser()
  const app = open('/nonsense')
  await expect.element(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/admin')
})

test('a failed first load can be retried', async () => {
  signInUser()
  network.on('GET /api/auth/profile/detail', () =>
    errorResponse(503, 'The server is busy. Please try again in a moment.'),
  )
  open('/dashboard')
  await expectAlert(/couldn't be loaded.*The server is busy/)
  signInUser()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('signing out ends the server session, deletes the tokens and opens the login page', async () => {
  signInUser()
  const token = localStorage.getItem('accessToken')
  network.on('POST /api/auth/logout', () => ({ body: { success: true, message: 'Signed out successfully' } }))
  const app = open('/dashboard')
  await page.getByRole('button', { name: 'Profile menu of Ada Lind' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect.poll(app.address).toBe('/login')
  expect(network.requests('/api/auth/logout').map(call => call.token)).toEqual([`Bearer ${token}`])
  expect(localStorage.getItem('accessToken')).toBeNull()
})

test.each([
  ['a form', 'draft contact ', { typed: { name: { value: 'Ada', base: '' } } }],
  ['the permissions of a role', 'draft matrix', { roleId: 'sales', matrix: [] }],
  ['an import', IMPORT_DRAFTS, [{ user: 'u1', name: 'contacts.csv' }]],
])('signing out asks before it deletes the draft of %s', async (_, key, draft) => {
  signInUser()
  sessionStorage.setItem('draftsOf', 'u1')
  sessionStorage.setItem(key, JSON.stringify(draft))
  network.on('POST /api/auth/logout', () => ({ body: { success: true, message: 'Signed out successfully' } }))
  const app = open('/dashboard')
  const menu = page.getByRole('button', { name: 'Profile menu of Ada Lind' })
  const signOut = page.getByRole('menuitem', { name: 'Sign out' })
  const question = page.getByRole('alertdialog', { name: 'Sign out anyway?' })
  await menu.click()
  await signOut.click()
  await expect.element(question).toHaveAccessibleDescription('Unsaved changes will be deleted.')
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await expect.element(menu).toHaveFocus()
  expect(sessionStorage.getItem(key)).not.toBeNull()
  await menu.click()
  await signOut.click()
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(app.address).toBe('/login')
  expect(sessionStorage.getItem(key)).toBeNull()
})

test('a tab sends nothing as another user who signs in in another tab, and keeps the input', async () => {
  signInUser()
  const own = localStorage.getItem('accessToken') ?? ''
  onTestFinished(() => localStorage.setItem('accessToken', own))
  serveContactCount(0)
  network.on('POST /api/contacts', () => ({ status: 201, body: { success: true, data: contact(1) } }))
  const creations = () => network.requests('/api/contacts').filter(({ method }) => method === 'POST')
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Adda')
  localStorage.setItem('accessToken', token('Admin', 'u2'))
  const save = page.getByRole('button', { name: 'Create contact' })
  await save.click()
  await expectAlert(core.texts().general.otherUser.text)
  expect(creations()).toEqual([])
  await expect.element(name).toHaveValue('Adda')
  localStorage.setItem('accessToken', own)
  await save.click()
  await expect.element(page.getByText('Contact created successfully').first()).toBeVisible()
  expect(creations().map(({ token }) => token)).toEqual([`Bearer ${own}`])
})

test('a draft is put away while another user is signed in, and survives their sign-out', () => {
  const draft = { typed: { name: { value: 'Ada', base: '' } } }
  drafts.setOwner('u1')
  drafts.save('contact ', draft)
  drafts.setOwner('u2')
  expect(drafts.hasInput()).toBe(false)
  drafts.deleteEverywhere()
  drafts.setOwner('u1')
  expect(drafts.read('contact ')).toEqual(draft)
  drafts.forget('contact ')
})

test('a page that opens without a connection shows no draft of another user', async () => {
  signInUser()
  open('/dashboard')
  const heading = page.getByRole('heading', { name: 'Dashboard' })
  await expect.element(heading).toBeVisible()
  closeAll()
  drafts.setOwner('u2')
  drafts.save('contact ', { typed: { name: { value: 'Bo', base: '' } } })
  disconnect('GET /api/auth/profile/detail', 'GET /api/rbac/user-permissions')
  open('/dashboard')
  await expect.element(heading).toBeVisible()
  expect(drafts.hasInput()).toBe(false)
})

/** Sends the event by which a page learns that another tab has stored tokens. */
const notifyOfTokens = () => dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }))

test('an open login page continues with its page when the user signs in in another tab', async () => {
  const app = open('/login?next=%2Fdashboard%2Fprofile')
  await expect.element(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  signInUser()
  notifyOfTokens()
  await expect.poll(app.address).toBe('/dashboard/profile')
})

test('an open login page with typed input stays when a user signs in in another tab', async () => {
  const app = open('/login')
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.fill('bo@kestrel.example')
  signInUser()
  notifyOfTokens()
  await email.fill('bo@kestrel.examples')
  expect(network.requests('/api/auth/profile/detail')).toEqual([])
  await email.fill('')
  notifyOfTokens()
  await expect.poll(app.address).toBe('/dashboard/admin')
})

/** Returns a channel to the page, as other tabs have it. */
function openTab() {
  const tab = new BroadcastChannel('unsaved-work')
  onTestFinished(() => tab.close())
  return tab
}

test('signing out asks before it deletes the unsaved work of another tab', async () => {
  const tab = openTab()
  tab.onmessage = ({ data }) => data === 'question' && tab.postMessage('answer')
  signInUser()
  open('/dashboard')
  await page.getByRole('button', { name: 'Profile menu of Ada Lind' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect
    .element(page.getByRole('alertdialog', { name: 'Sign out anyway?' }))
    .toHaveAccessibleDescription('Unsaved work in other tabs will be deleted.')
  expect(network.requests('/api/auth/logout')).toHaveLength(0)
})

test('a tab with unsaved work answers another one that signs out', async () => {
  signInUser()
  open('/dashboard')
  await expect.element(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  drafts.save('contact ', { typed: { name: { value: 'Ada', base: '' } } })
  const tab = openTab()
  const answers: unknown[] = []
  tab.onmessage = ({ data }) => answers.push(data)
  tab.postMessage('question')
  await expect.poll(() => answers).toEqual(['answer'])
})

test('a failed sign-in replaces the message that the session has ended', async () => {
  sessionEnd.mark()
  open('/login')
  const ended = page.getByRole('alert').filter({ hasText: core.texts().general.sessionOver.text })
  await expect.element(ended).toBeVisible()
  network.on('POST /api/auth/login', () => errorResponse(401, 'Invalid email or password'))
  await page.getByLabelText('Email').fill('ada@nordbil.example')
  await page.getByLabelText('Password', { exact: true }).fill('wrong one')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Invalid email or password')).toBeVisible()
  await expect.element(ended).not.toBeInTheDocument()
})

test('the login page says that the session has ended until the user leaves the page', async () => {
  sessionEnd.mark()
  const app = open('/login')
  const ended = page.getByRole('alert').filter({ hasText: core.texts().general.sessionOver.text })
  await expect.element(ended).toBeVisible()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect.element(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await app.go(-1)
  await expect.element(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect(ended.elements()).toHaveLength(0)
})

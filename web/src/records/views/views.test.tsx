import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { View, ViewInput } from '~/core'
import { checkConnection } from '~/lib/connection'
import { serveContactCount } from '~/test/contacts'
import { delayResponse, errorResponse, network } from '~/test/network'
import { open, signInUser, textsOf } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const view = (more: Partial<View> = {}): View => ({
  view_id: 'v1',
  resource: 'contacts',
  name: 'Without phone',
  query: { search: '', sort: '-name', filter: [{ field: 'phone', op: 'is_empty' }] },
  columns: [{ field: 'email', hidden: true }],
  density: 'comfortable',
  scope: 'mine',
  is_default: false,
  owner: { id: 'u1', name: 'Ada Lind' },
  version: 3,
  ...more,
})
const serve = (...views: View[]) =>
  network.on('GET /api/views', () => ({ body: { success: true, data: views } }))
const tabs = page.getByRole('navigation', { name: 'Views' })
/** Returns the texts of the column headers, without the empty header of the checkboxes. */
const headers = () => textsOf(page.getByRole('columnheader')).filter(text => text !== '')
const ADDRESS =
  '/dashboard/contacts?sort=-name&filter=%5B%7B%22field%22%3A%22phone%22%2C%22op%22%3A%22is_empty%22%7D%5D&view=v1'

beforeEach(() => {
  signInUser()
  serveContactCount(30)
  return () => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('columns ')) localStorage.removeItem(key)
  }
})

test('a tab applies the filters, sort order and columns of its view, All none', async () => {
  serve(view(), view({ view_id: 'v2', name: 'Of everyone', scope: 'shared' }))
  const app = open('/dashboard/contacts')
  await expect.element(tabs.getByRole('link', { name: 'All' })).toHaveAttribute('aria-current', 'true')
  await tabs.getByRole('link', { name: 'Without phone' }).click()
  await expect.poll(app.address).toBe(ADDRESS)
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Actions'])
  await expect.element(page.getByRole('button', { name: 'Phone is empty' })).toBeVisible()
  expect(network.requests('/api/contacts').at(-1)?.query.has('view')).toBe(false)
  expect(page.getByText('changed', { exact: true }).elements()).toHaveLength(0)
  await tabs.getByRole('link', { name: 'All' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?view=all')
  await expect.poll(headers).toEqual(['Name', 'Email', 'Phone', 'Actions'])
})

test('a view that is opened by its address leaves the focus where it is', async () => {
  serve(view())
  open(ADDRESS)
  await expect
    .element(tabs.getByRole('link', { name: 'Without phone' }))
    .toHaveAttribute('aria-current', 'true')
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Actions'])
  expect(document.activeElement).toBe(document.body)
})

test("the list opens with the user's default view", async () => {
  serve(view({ is_default: true }))
  const app = open('/dashboard/contacts')
  await expect.poll(app.address).toBe(ADDRESS)
  await expect.element(tabs.getByRole('img', { name: 'default' })).toBeVisible()
})

test('the tab of a shared view says which other user shares it', async () => {
  const theirs = view({ view_id: 'v2', scope: 'shared', owner: { id: 'u2', name: 'Bo' } })
  serve(view(), theirs, view({ view_id: 'v3', name: 'Own', scope: 'shared' }))
  open('/dashboard/contacts')
  await expect.element(tabs.getByRole('link', { name: /^shared by Bo\s*Without phone$/ })).toBeVisible()
  await expect.element(tabs.getByRole('link', { name: /^shared\s*Own$/ })).toBeVisible()
  await expect.element(tabs.getByRole('link', { name: 'Without phone', exact: true })).toBeVisible()
})

const FILTER = `${new URLSearchParams({ filter: '[{"field":"email","op":"is_empty"}]' })}`

test.each([
  { query: 'search=zzz', total: 0, role: 'link', name: 'Clear search' },
  { query: 'search=zzz', total: 30, role: 'button', name: 'Clear search' },
  { query: FILTER, total: 0, role: 'link', name: 'Clear filters' },
  { query: FILTER, total: 30, role: 'button', name: 'Clear filters' },
] as const)('the $role "$name" does not open the default view', async ({ query, total, role, name }) => {
  serveContactCount(total)
  serve(view({ is_default: true }))
  const app = open(`/dashboard/contacts?${query}`)
  await page.getByRole('main').getByRole(role, { name }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?view=all')
})

test('a changed list can be saved as a new view, which then opens', async () => {
  const app = open('/dashboard/contacts')
  await page.getByRole('columnheader', { name: 'Email' }).getByRole('button').click()
  await page.getByRole('button', { name: 'Save view' }).click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.element(form.getByText('Name is required')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name' }).fill('By email')
  await form.getByRole('checkbox', { name: 'Share with everyone at Nordbil AB' }).click()
  const saved = view({
    name: 'By email',
    scope: 'shared',
    query: { search: '', sort: 'email', filter: [] },
    columns: [],
  })
  network.on('POST /api/views', () => {
    serve(saved)
    return { status: 201, body: { success: true, message: 'View saved', data: saved } }
  })
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?sort=email&view=v1')
  await expect.element(tabs.getByRole('link', { name: 'By email' })).toHaveAttribute('aria-current', 'true')
  await expect.element(tabs.getByRole('link', { name: 'By email' })).toHaveFocus()
  expect(network.requests('/api/views').find(({ method }) => method === 'POST')?.body).toMatchObject({
    resource: 'contacts',
    name: 'By email',
    scope: 'shared',
    is_default: false,
    query: { search: '', sort: 'email', filter: [] },
  })
})

test('a new view can not have the name of another one', async () => {
  serve(view())
  open('/dashboard/contacts?search=x')
  await expect.element(tabs.getByRole('link', { name: 'Without phone' })).toBeVisible()
  await page.getByRole('button', { name: 'Save view' }).click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  for (const name of ['without PHONE', 'All']) {
    await form.getByRole('textbox', { name: 'Name' }).fill(name)
    await form.getByRole('button', { name: 'Save view' }).click()
    await expect.element(form.getByText('A view with this name already exists')).toBeVisible()
    await form.getByRole('textbox', { name: 'Name' }).fill('')
    await expect.element(form.getByText('Name is required')).toBeVisible()
  }
  expect(network.requests('/api/views').filter(({ method }) => method === 'POST')).toHaveLength(0)
})

test('a new view whose response was lost has a tab', async () => {
  open('/dashboard/contacts?search=x')
  await page.getByRole('button', { name: 'Save view' }).click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Without phone')
  network.on('POST /api/views', () => {
    serve(view())
    return failNetwork()
  })
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.element(form.getByRole('alert')).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(tabs.getByRole('link', { name: 'Without phone' })).toBeVisible()
})

test('the user can save the changes of a view, or reset it', async () => {
  serve(view())
  const app = open(ADDRESS)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Email' }).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(tabs.getByText('changed')).toBeVisible()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Actions'])
  await expect.element(tabs.getByRole('link', { name: 'Without phone' })).toHaveFocus()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?sort=-name&view=v1')
  const changed = view({ version: 4, query: { search: '', sort: '-name', filter: [] } })
  network.on('PUT /api/views/v1', () => {
    serve(changed)
    return { body: { success: true, data: changed } }
  })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('View updated')).toBeVisible()
  expect(network.requests('/api/views/v1')[0]?.body).toMatchObject({ version: 3, name: 'Without phone' })
  await expect.poll(() => page.getByRole('button', { name: 'Save changes' }).elements()).toHaveLength(0)
  await expect.element(tabs.getByRole('link', { name: 'Without phone' })).toHaveFocus()
})

test('at phone width a menu saves a changed list; a search moves no search box', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  serve(view())
  open('/dashboard/contacts')
  await expect.element(tabs.getByRole('link', { name: 'Without phone' })).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search contacts' })
  const box = search.element()
  const placeOf = () => box.getBoundingClientRect().top + scrollY
  const before = placeOf()
  await search.fill('ada')
  await userEvent.keyboard('{Enter}')
  const menu = page.getByRole('button', { name: 'Change this view' })
  await expect.element(menu).toBeVisible()
  expect(placeOf()).toBe(before)
  expect(menu.element().getBoundingClientRect().right).toBeLessThan(360)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Save view' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Save view' })).toBeVisible()
})

test('a second click on "Save changes" does not save again', async () => {
  serve(view())
  open(`${ADDRESS}&search=x`)
  const changed = view({ version: 4, query: { ...view().query, search: 'x' } })
  network.on('PUT /api/views/v1', () => ({ body: { success: true, data: changed } }))
  const save = page.getByRole('button', { name: 'Save changes' })
  await expect.element(save).toBeVisible()
  const release = delayResponse('GET /api/views', () => ({ body: { success: true, data: [changed] } }))
  await save.click()
  await expect.element(page.getByText('View updated')).toBeVisible()
  await save.click()
  release()
  await expect.poll(() => save.elements()).toHaveLength(0)
  expect(network.requests('/api/views/v1')).toHaveLength(1)
})

/** From now on the server has the view `theirs`. It responds with `saved` to a change that is based on this version. */
function serveTheirChange(theirs: View, saved: View) {
  serve(theirs)
  network.on('PUT /api/views/v1', ({ body }) => {
    if ((body as ViewInput).version !== theirs.version)
      return errorResponse(409, 'Someone else has changed this.', { data: theirs })
    serve(saved)
    return { body: { success: true, data: saved } }
  })
}

test('after a conflict of a view, the changes stay and can be saved again', async () => {
  serve(view())
  const app = open(`${ADDRESS}&search=x`)
  const save = page.getByRole('button', { name: 'Save changes' })
  await expect.element(save).toBeVisible()
  const theirs = view({ version: 4, name: 'No phone' })
  serveTheirChange(theirs, { ...theirs, version: 5, query: { ...theirs.query, search: 'x' } })
  await save.click()
  await expect.element(page.getByText('Someone else has changed this.')).toBeVisible()
  await expect.element(tabs.getByRole('link', { name: 'No phone' })).toBeVisible()
  expect(app.address()).toContain('search=x')
  await save.click()
  await expect.element(page.getByText('View updated')).toBeVisible()
  await expect.poll(() => save.elements()).toHaveLength(0)
  const sent = network.requests('/api/views/v1').map(({ body }) => body as ViewInput)
  expect(sent.map(({ name, version }) => [name, version])).toEqual([
    ['Without phone', 3],
    ['No phone', 4],
  ])
})

test('after a conflict, the form of a view keeps the name and shows their change', async () => {
  serve(view())
  open(ADDRESS)
  await page.getByRole('button', { name: 'Change this view' }).click()
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click()
  const form = page.getByRole('dialog', { name: 'Edit view' })
  const name = form.getByRole('textbox', { name: 'Name' })
  await name.fill('No phone')
  const theirs = view({ version: 4, scope: 'shared' })
  serveTheirChange(theirs, { ...theirs, version: 5, name: 'No phone' })
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.element(form.getByRole('alert')).toHaveTextContent('Someone else has changed this.')
  await expect
    .element(form.getByRole('checkbox', { name: 'Share with everyone at Nordbil AB' }))
    .toBeChecked()
  await expect.element(name).toHaveValue('No phone')
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.element(tabs.getByRole('link', { name: 'No phone' })).toBeVisible()
  const last = network.requests('/api/views/v1').at(-1)?.body
  expect(last).toMatchObject({ version: 4, name: 'No phone', scope: 'shared' })
})

test('the changes of a view that a colleague has deleted can be saved as a new view', async () => {
  serve(view({ scope: 'shared' }))
  const app = open(`${ADDRESS}&search=x`)
  const save = page.getByRole('button', { name: 'Save changes' })
  await expect.element(save).toBeVisible()
  network.on('PUT /api/views/v1', () => errorResponse(404, 'Not found. It may have been deleted.'))
  await save.click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await expect.element(form.getByRole('alert')).toHaveTextContent('The view “Without phone” is no longer')
  const saved = view({ view_id: 'v2', scope: 'shared', query: { ...view().query, search: 'x' } })
  network.on('POST /api/views', () => {
    serve(saved)
    return { status: 201, body: { success: true, data: saved } }
  })
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.poll(app.address).toContain('view=v2')
  const { query, columns } = saved
  const sent = network.requests('/api/views').find(({ method }) => method === 'POST')?.body
  expect(sent).toMatchObject({ name: 'Without phone', scope: 'shared', query, columns })
  expect(sent).not.toHaveProperty('version')
  await expect.poll(() => save.elements()).toHaveLength(0)
})

test('the tab of a view that a colleague has deleted disappears with its form', async () => {
  serve(view({ scope: 'shared' }))
  open(ADDRESS)
  await page.getByRole('button', { name: 'Change this view' }).click()
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click()
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  serve()
  network.on('PUT /api/views/v1', () => errorResponse(404, 'Not found. It may have been deleted.'))
  await page.getByRole('dialog', { name: 'Edit view' }).getByRole('button', { name: 'Save view' }).click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await expect.element(form.getByRole('alert')).toHaveTextContent('The view “Without phone” is no longer')
  await expect.element(name).toHaveValue('Without phone')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(tabs.getByRole('link', { name: 'Without phone' })).not.toBeInTheDocument()
  await expect.element(tabs.getByRole('link', { name: 'All' })).toHaveFocus()
})

test("a shared view of another user can only be saved as one's own", async () => {
  signInUser(undefined, 'User')
  serve(view({ scope: 'shared', owner: { id: 'u2', name: 'Bo' } }))
  open(`${ADDRESS}&search=x`)
  await expect.element(page.getByRole('button', { name: 'Save view' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Change this view' }).elements()).toHaveLength(0)
})

test('a view is renamed and deleted, and an error is shown', async () => {
  serve(view())
  const app = open(ADDRESS)
  await page.getByRole('button', { name: 'Change this view' }).click()
  await page.getByRole('menuitem', { name: 'Rename or share…' }).click()
  const form = page.getByRole('dialog', { name: 'Edit view' })
  await form.getByRole('textbox', { name: 'Name' }).fill('No phone')
  network.on('PUT /api/views/v1', () => errorResponse(409, 'Bo changed this view 2 minutes ago.'))
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.element(form.getByRole('alert')).toHaveTextContent('Bo changed this view 2 minutes ago.')
  network.on('PUT /api/views/v1', () => {
    serve(view({ name: 'No phone' }))
    return { body: { success: true, data: view({ name: 'No phone' }) } }
  })
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect.element(tabs.getByRole('link', { name: 'No phone' })).toHaveFocus()
  await page.getByRole('button', { name: 'Change this view' }).click()
  await page.getByRole('menuitem', { name: 'Delete view…' }).click()
  network.on('DELETE /api/views/v1', () => {
    serve()
    return { body: { success: true, message: 'View deleted' } }
  })
  await page.getByRole('dialog', { name: 'Delete view' }).getByRole('button', { name: 'Delete view' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?view=all')
  await expect.element(tabs.getByRole('link', { name: 'All' })).toHaveFocus()
})

test('a view without one of its columns shows the others and a notice', async () => {
  serve(view({ columns: [{ field: 'fax' }, { field: 'phone' }] }))
  open(ADDRESS)
  await expect
    .element(page.getByText('This view has columns that no longer exist: fax. The others are shown.'))
    .toBeVisible()
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Email', 'Actions'])
})

test('a view that its owner can no longer use can only be deleted', async () => {
  const query = { search: '', sort: '', filter: [] }
  serve(view({ query, columns: [], is_restricted: true }))
  const app = open('/dashboard/contacts')
  await tabs.getByRole('link', { name: 'Without phone' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?view=v1')
  await expect.element(tabs.getByRole('img', { name: 'uses fields that you no longer see' })).toBeVisible()
  await page.getByRole('columnheader', { name: 'Email' }).getByRole('button').click()
  await expect.element(page.getByRole('button', { name: 'Save view' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Save changes' }).elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'Change this view' }).click()
  await expect.poll(() => textsOf(page.getByRole('menuitem'))).toEqual(['Delete view…'])
})

test('the tabs stay if the views fail to load when the list is opened again', async () => {
  serve(view())
  const app = open('/dashboard/contacts')
  const tab = tabs.getByRole('link', { name: 'Without phone' })
  await expect.element(tab).toBeVisible()
  await app.visit('/dashboard/nothing')
  await expect.element(tab).not.toBeInTheDocument()
  network.on('GET /api/views', () => errorResponse(503, ''))
  await app.go(-1)
  await expect.element(tab).toBeVisible()
})

test('views that failed to load offline are shown when the connection returns', async () => {
  network.on('GET /api/health', () => Promise.reject(new TypeError('offline')))
  network.on('GET /api/views', () => Promise.reject(new TypeError('offline')))
  await checkConnection()
  open('/dashboard/contacts')
  await expect.element(page.getByRole('columnheader', { name: 'Email' })).toBeVisible()
  await expect.poll(() => tabs.elements()).toHaveLength(0)
  serve(view())
  network.on('GET /api/health', () => ({ body: { success: true, message: '' } }))
  await checkConnection()
  await expect.element(tabs.getByRole('link', { name: 'Without phone' })).toBeVisible()
})

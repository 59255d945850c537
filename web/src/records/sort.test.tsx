import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { pageOf, serveContactCount } from '~/test/contacts'
import { errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'

const header = (name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) })
const sortedBy = (name: string) => header(name).getByRole('button')
const status = page.getByRole('region', { name: 'Contacts', exact: true }).getByRole('status')
const lastRequest = () => network.requests('/api/contacts').at(-1)?.query

test('clicks on a header sort ascending, descending, then in the default order', async () => {
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts?page=3')
  await sortedBy('Name').click()
  await expect.poll(app.address).toBe('/dashboard/contacts?sort=name')
  await expect.element(header('Name')).toHaveAttribute('aria-sort', 'ascending')
  await sortedBy('Name').click()
  await expect.poll(app.address).toBe('/dashboard/contacts?sort=-name')
  expect(lastRequest()?.get('sort')).toBe('-name')
  await expect.element(header('Name')).toHaveAttribute('aria-sort', 'descending')
  await expect.element(status).toHaveTextContent('Sorted by Name, descending')
  await sortedBy('Name').click()
  await expect.poll(app.address).toBe('/dashboard/contacts?view=all')
  await expect.element(header('Name')).not.toHaveAttribute('aria-sort')
  await expect.element(status).not.toHaveTextContent('Sorted by')
  expect(lastRequest()?.has('sort')).toBe(false)
})

test('Shift sorts by a second column, too, Back undoes that; the search stays', async () => {
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts?search=ada')
  await sortedBy('Email').click()
  await expect.element(header('Email')).toHaveAttribute('aria-sort', 'ascending')
  sortedBy('Name').element().focus()
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect.poll(app.address).toBe('/dashboard/contacts?search=ada&sort=email%2Cname')
  await expect.element(sortedBy('Name')).toHaveTextContent('Name22, ascending')
  await expect.element(status).toHaveTextContent('Sorted by Email, ascending; Name, ascending')
  await app.go(-1)
  await expect.poll(app.address).toBe('/dashboard/contacts?search=ada&sort=email')
  await expect.element(header('Name')).not.toHaveAttribute('aria-sort')
})

test('a rejected sort order is explained, and the list is shown without it', async () => {
  signInUser()
  const text = 'This list does not have that field. Use one of: name, email.'
  network.on('GET /api/contacts', call =>
    call.query.get('sort')
      ? {
          status: 400,
          body: { success: false, message: text, errors: [text], fields: { 'sort.age': [text] } },
        }
      : pageOf(1, call),
  )
  const app = open('/dashboard/contacts?sort=age&search=ada')
  await expect.element(page.getByRole('alert')).toHaveTextContent(text)
  await page.getByRole('link', { name: 'Show without sort and filter' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?search=ada')
  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
})

test('a search that the server rejects as too long can be cleared', async () => {
  signInUser()
  const text = 'Maximum length is 100 characters'
  network.on('GET /api/contacts', call =>
    call.query.get('search') ? errorResponse(400, text, { fields: { search: [text] } }) : pageOf(1, call),
  )
  const app = open('/dashboard/contacts?search=ada&sort=name')
  await expect.element(page.getByRole('alert')).toHaveTextContent(text)
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?sort=name')
  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
})

test('a text that is longer than a search may be is not cut, and the list says why it is rejected', async () => {
  signInUser()
  const text = 'Maximum length is 100 characters'
  network.on('GET /api/contacts', call =>
    call.query.get('search') ? errorResponse(400, text, { fields: { search: [text] } }) : pageOf(1, call),
  )
  open('/dashboard/contacts')
  const typed = 'a'.repeat(140)
  const box = page.getByRole('searchbox')
  await box.fill(typed)
  // `fill` ignores a maximum length.
  await expect.element(box).not.toHaveAttribute('maxlength')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => lastRequest()?.get('search')).toBe(typed)
  await expect.element(page.getByRole('alert')).toHaveTextContent(text)
})

test('a link that sorts by a field that the user does not see says so, without names of the API', async () => {
  signInUser()
  const text = 'This list does not have that field. Use one of: name, email.'
  const messages = [{ code: 'lists.unknown_field', field: 'sort.cost', text }]
  network.on('GET /api/contacts', () => errorResponse(400, text, { messages }))
  open('/dashboard/contacts?sort=cost')
  const alert = page.getByRole('alert')
  await expect.element(alert).toHaveTextContent("This link sorts or filters by a field that you can't see.")
  await expect.element(alert).not.toHaveTextContent('email')
  await expect.element(page.getByRole('link', { name: 'Show without sort and filter' })).toBeVisible()
})

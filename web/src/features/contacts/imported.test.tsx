import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { contact, pageOf, serveContact } from '~/test/contacts'
import { importSession } from '~/test/imports'
import { errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'

const filter = page.getByRole('list', { name: 'Active filters' }).getByRole('link')

/**
 * Makes the fake server respond with 200 contacts, or with `total` if the list is filtered by an import. All are of
 * import `s1`.
 */
function serveImportedContacts(total: number) {
  network.on('GET /api/contacts', call => {
    const answer = pageOf(call.query.get('importBatchId') ? total : 200, call)
    for (const person of answer.body.data) {
      Object.assign(person, { importBatchId: 's1', importSource: 'kunder.csv' })
    }
    return answer
  })
}
const requestedImports = () =>
  network.requests('/api/contacts').map(({ query }) => query.get('importBatchId'))

test('paging and searching keep the filter for an import', async () => {
  signInUser()
  serveImportedContacts(37)
  const app = open('/dashboard/contacts?importBatchId=s1')
  await expect.element(filter).toHaveTextContent('From kunder.csv')
  await expect.element(page.getByText('Showing 1 to 10 of 37 contacts')).toBeVisible()
  await page.getByRole('link', { name: 'Page 4' }).click()
  await expect.element(page.getByText('Showing 31 to 37 of 37 contacts')).toBeVisible()
  await page.getByRole('searchbox').fill('Åsa')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect.poll(() => new URLSearchParams(app.address().split('?')[1]).get('search')).toBe('Åsa')
  await expect.poll(requestedImports).toEqual(['s1', 's1', 's1'])
  await expect.element(filter).toBeVisible()
})

test('removing the filter focuses the list', async () => {
  signInUser()
  serveImportedContacts(37)
  const app = open('/dashboard/contacts?search=a&importBatchId=s1')
  await filter.click()
  await expect.element(page.getByText('Showing 1 to 10 of 200 contacts')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/contacts?search=a')
  await expect.element(page.getByRole('region', { name: 'Contacts' })).toHaveFocus()
  expect(requestedImports()).toEqual(['s1', null])
})

test('if no contact has the file name, the filter shows that of the import job', async () => {
  signInUser()
  serveImportedContacts(0)
  network.on('GET /api/contacts/import/status/s1', () => ({
    body: { success: true, session: importSession({ fileName: 'empty.csv' }) },
  }))
  open('/dashboard/contacts?importBatchId=s1')
  await expect.element(filter).toHaveTextContent('From empty.csv')
  await expect.element(page.getByText('No contacts from this import')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Show all contacts' }))
    .toHaveAttribute('href', '/dashboard/contacts?view=all')
})

test('the filter for an unknown import is shown without a file name', async () => {
  signInUser()
  serveImportedContacts(0)
  network.on('GET /api/contacts/import/status/s1', () => errorResponse(404, 'Not found.'))
  open('/dashboard/contacts?importBatchId=s1')
  await expect.element(filter).toHaveTextContent('From one import')
})

test('a contact links to the contacts of the same import', async () => {
  signInUser()
  serveContact({ ...contact(1), importBatchId: 's1', importSource: 'kunder.csv' })
  open('/dashboard/contacts/id-1')
  await expect
    .element(page.getByRole('link', { name: 's1' }))
    .toHaveAttribute('href', '/dashboard/contacts?importBatchId=s1')
})

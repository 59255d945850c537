import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { contact, pageOf as contacts, summaryOf } from './contacts'
import { pageOf as corporations } from './corporations'
import { customers, pageOf as customersPage } from './customers'
import { invoices, pageOf as invoicesPage } from './invoices'
import { type ApiRequest, deferred, errorResponse, network } from './network'
import { expectAlert, moduleResource, open, servePermissions, signInUser } from './open'
import { allPermissions } from './rights'
import { usersOf, pageOf as usersPage } from './users'

const contactList = {
  list: 'contacts',
  pageOf: contacts,
  size: 10,
  id: 'id-21',
  row: 'Person 21',
}

/** The lists with pages. The third page of each has one row. */
const lists = [
  contactList,
  {
    list: 'customers',
    pageOf: (total: number, call: ApiRequest) => customersPage(customers(total), call),
    size: 15,
    id: 'c-31',
    row: 'Maja Holm 31',
  },
  {
    list: 'invoices',
    pageOf: (total: number, call: ApiRequest) => invoicesPage(invoices(total), call),
    size: 15,
    id: 'i-31',
    row: 'Bil 31 AB',
  },
  {
    list: 'users',
    pageOf: (total: number, call: ApiRequest) =>
      usersPage(
        usersOf(total).map((user, index) => ({ ...user, last_name: `Berg ${index + 1}` })),
        call,
      ),
    size: 15,
    id: 'id-31',
    row: 'Hugo Berg 31',
  },
  { list: 'corporations', pageOf: corporations, size: 15, id: 'c-31', row: 'Bil 31 AB' },
]

type Answer = Parameters<typeof network.on>[1]

/**
 * Opens the third page of a list and deletes its only row. After that the fake server responds to the list with
 * `answer`.
 */
async function deleteLastRow({ list, pageOf, size, id, row }: (typeof lists)[number], answer: Answer) {
  signInUser()
  servePermissions(moduleResource(list, 'Contacts', allPermissions))
  network.on(`GET /api/${list}`, call => pageOf(2 * size + 1, call))
  network.on(`DELETE /api/${list}/${id}`, () => {
    network.on(`GET /api/${list}`, answer)
    return { body: { success: true, message: '' } }
  })
  const app = open(`/dashboard/${list}?page=3`)
  await page.getByRole('button', { name: /^Delete / }).click()
  const question = page.getByRole('dialog')
  if (list === 'corporations') await question.getByRole('textbox').fill(row)
  await question.getByRole('button', { name: /^Delete / }).click()
  return app
}

const listRequests = (list: string, at: number) =>
  network.requests(`/api/${list}`).filter(({ query }) => query.get('page') === String(at)).length

test.each(lists)('deleting the only row of the last page of $list shows the new last page', async of => {
  const { list, pageOf, size, row } = of
  const { wait, release } = deferred()
  const { address } = await deleteLastRow(of, async call => {
    if (call.query.get('page') === '1') await wait
    return pageOf(size, call)
  })
  await expect.poll(() => listRequests(list, 1)).toBe(1)
  // The deleted row stays visible until the list has been reloaded.
  await expect.element(page.getByRole('row', { name: row })).toBeVisible()
  await expect.element(page.getByRole('table')).toHaveAttribute('aria-busy', 'true')
  release()
  await expect.element(page.getByText(`Showing 1 to ${size} of ${size} `)).toBeVisible()
  await expect.poll(address).toBe(`/dashboard/${list}`)
  await expect.element(page.getByRole('region', { name: new RegExp(`^${list}$`, 'i') })).toHaveFocus()
})

test.each(lists)('after a deletion, a page of $list that others have refilled stays open', async of => {
  const { list, pageOf, size } = of
  const whole = 2 * size + 3
  const { address } = await deleteLastRow(of, call => pageOf(whole, call))
  await expect.element(page.getByText(`Showing ${2 * size + 1} to ${whole} of ${whole} `)).toBeVisible()
  expect(address()).toBe(`/dashboard/${list}?page=3`)
  expect(listRequests(list, 2)).toBe(0)
})

test.each([
  ['next', 2, 3],
  ['previous', 3, 2],
])('after a deletion, the button of the %s row has the focus', async (_, number, focused) => {
  signInUser()
  let rows = [1, 2, 3]
  network.on('GET /api/contacts', () => ({
    body: {
      success: true,
      data: rows.map(row => summaryOf(contact(row))),
      pagination: { currentPage: 1, totalPages: 1, totalContacts: rows.length },
    },
  }))
  network.on(`DELETE /api/contacts/id-${number}`, () => {
    rows = rows.filter(row => row !== number)
    return { body: { success: true, message: '' } }
  })
  open('/dashboard/contacts')
  await page.getByRole('button', { name: `Delete Person ${number}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
  await expect.element(page.getByText('Showing 1 to 2 of 2 contacts')).toBeVisible()
  await expect.element(page.getByRole('button', { name: `Delete Person ${focused}` })).toHaveFocus()
})

test('a list that failed to load after a deletion can be retried', async () => {
  const { address } = await deleteLastRow(contactList, () => errorResponse(503, 'The server is busy.'))
  await expectAlert('The server is busy.')
  network.on('GET /api/contacts', call => contacts(10, call))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('Showing 1 to 10 of 10 ')).toBeVisible()
  expect(address()).toBe('/dashboard/contacts')
})

test('a URL with a page number beyond the last page shows an empty page, without a redirect', async () => {
  signInUser()
  network.on('GET /api/contacts', call => contacts(10, call))
  const { address } = open('/dashboard/contacts?page=3')
  await expect.element(page.getByText('This page is empty')).toBeVisible()
  expect(address()).toBe('/dashboard/contacts?page=3')
})

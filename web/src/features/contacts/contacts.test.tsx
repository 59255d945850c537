import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Contact } from '~/core'
import { contact, pageOf, serveContactCount } from '~/test/contacts'
import { deferred, errorResponse, network } from '~/test/network'
import { expectAlert, open, signInUser, textsOf } from '~/test/open'

/** Opens the form of a new contact above an empty list. */
async function openNewContact() {
  signInUser()
  serveContactCount(0)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
}

test('a list shows its range of rows, and empty values as N/A', async () => {
  signInUser()
  serveContactCount(237)
  open('/dashboard/contacts?page=9')
  await expect.element(page.getByText('Showing 81 to 90 of 237 contacts')).toBeVisible()
  await expect
    .element(page.getByRole('row', { name: /Person 81 person81@nordbil.example N\/A/ }))
    .toBeVisible()
})

test('the footer formats numbers with thousands separators', async () => {
  signInUser()
  serveContactCount(100_207)
  open('/dashboard/contacts?page=1000')
  await expect.element(page.getByText('Showing 9,991 to 10,000 of 100,207 contacts')).toBeVisible()
})

test('skipped page numbers are an ellipsis', async () => {
  signInUser()
  serveContactCount(237)
  open('/dashboard/contacts?page=9')
  const pages = page.getByRole('navigation', { name: 'Pagination' })
  await expect.element(pages.getByRole('link', { name: 'Page 9' })).toHaveAttribute('aria-current', 'page')
  const shown = [...pages.element().querySelectorAll('li')].map(item => item.textContent)
  expect(shown).toEqual(['1', '…skipped pages', '7', '8', '9', '10', '11', '…skipped pages', '24'])
})

test('while another page loads, the old rows stay visible', async () => {
  signInUser()
  const { wait, release } = deferred()
  network.on('GET /api/contacts', async call => {
    if (call.query.get('page') === '2') await wait
    return pageOf(30, call)
  })
  const app = open('/dashboard/contacts')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?page=2')
  const table = page.getByRole('table')
  await expect.element(table).toHaveAttribute('aria-busy', 'true')
  await expect.element(table.getByText('Person 1', { exact: true })).toBeVisible()
  release()
  await expect.element(table.getByText('Person 11', { exact: true })).toBeVisible()
  await expect.element(table).toHaveAttribute('aria-busy', 'false')
})

test('a search is in the URL, starts at page 1, and Back undoes it', async () => {
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts?page=2')
  const box = page.getByRole('searchbox', { name: 'Search contacts' })
  await box.fill('  Öberg ')
  await userEvent.keyboard('{Enter}')
  await expect.poll(app.address).toBe('/dashboard/contacts?search=%C3%96berg')
  expect(network.requests('/api/contacts').at(-1)?.query.get('search')).toBe('Öberg')
  // Waits for the list: the URL changes earlier, and Back before the list renders would cancel the search.
  await expect.element(page.getByText('Showing 1 to 10 of 30 contacts')).toBeVisible()
  await app.go(-1)
  await expect.poll(app.address).toBe('/dashboard/contacts?page=2')
  await expect.element(box).toHaveValue('')
})

test('searching for the same text again adds no history entry', async () => {
  signInUser()
  // The total tells apart the responses to the three requests.
  network.on('GET /api/contacts', call => pageOf(20 + network.requests('/api/contacts').length, call))
  const app = open('/dashboard/contacts')
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('ada')
  for (const total of [22, 23]) {
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText(`Showing 1 to 10 of ${total} contacts`)).toBeVisible()
  }
  await app.go(-1)
  await expect.poll(app.address).toBe('/dashboard/contacts')
})

test('the slash key focuses the search box', async () => {
  signInUser()
  serveContactCount(1)
  open('/dashboard/contacts')
  await expect.element(page.getByText('Showing 1 to 1 of 1 contact')).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
  await expect.element(page.getByRole('searchbox')).toHaveValue('')
})

test('an unsuccessful search shows its text and can be cleared', async () => {
  signInUser()
  network.on('GET /api/contacts', call => pageOf(call.query.get('search') ? 0 : 3, call))
  open('/dashboard/contacts?search=zzz')
  await expect.element(page.getByText('No contacts found for “zzz”')).toBeVisible()
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect.element(page.getByText('Showing 1 to 3 of 3 contacts')).toBeVisible()
})

test('the rows that a search finds are announced, or that there are none', async () => {
  signInUser()
  network.on('GET /api/contacts', call => pageOf(call.query.get('search') ? 0 : 3, call))
  open('/dashboard/contacts')
  await expect.element(page.getByText('Showing 1 to 3 of 3 contacts')).toBeVisible()
  const status = page.getByRole('region', { name: 'Contacts', exact: true }).getByRole('status')
  const region = status.element()
  expect(region.textContent).toBe('Showing 1 to 3 of 3 contacts')
  await page.getByRole('searchbox').fill('zzz')
  await userEvent.keyboard('{Enter}')
  await expect.element(status).toHaveTextContent('No contacts found for “zzz”')
  // Screen readers announce only changes of an existing region.
  expect(status.element()).toBe(region)
})

test('a failed request of the list can be retried', async () => {
  signInUser()
  network.on('GET /api/contacts', () =>
    errorResponse(503, 'The server is busy. Please try again in a moment.'),
  )
  open('/dashboard/contacts')
  await expectAlert(/Failed to load contacts.*The server is busy/)
  serveContactCount(3)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('Showing 1 to 3 of 3 contacts')).toBeVisible()
})

test('the buttons to add and import need the create permission', async () => {
  signInUser({ can_read: true, can_create: false, can_update: false, can_delete: false })
  serveContactCount(0)
  open('/dashboard/contacts')
  await expect.element(page.getByText('Contacts will appear here once they are added.')).toBeVisible()
  expect(page.getByText('+ Add New Contact').elements()).toHaveLength(0)
  expect(page.getByText('Import', { exact: false }).elements()).toHaveLength(0)
})

test('a second click while creating a contact is ignored', async () => {
  signInUser()
  let total = 0
  const { wait, release } = deferred()
  network.on('GET /api/contacts', call => pageOf(total, call))
  network.on('POST /api/contacts', async ({ body }) => {
    await wait
    total = 1
    return { status: 201, body: { success: true, data: contact(1, body as Partial<Contact>) } }
  })
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Person 1')
  const save = page.getByRole('button', { name: 'Create contact' })
  await save.click()
  await expect.element(save).toHaveAttribute('aria-busy', 'true')
  await save.click()
  release()
  await expect.element(page.getByText('Contact created successfully').first()).toBeVisible()
  await expect.element(page.getByText('Showing 1 to 1 of 1 contact')).toBeVisible()
  expect(network.requests('/api/contacts').filter(call => call.method === 'POST')).toHaveLength(1)
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('a validation error of the server is shown at its field', async () => {
  signInUser()
  serveContactCount(0)
  network.on('POST /api/contacts', () =>
    errorResponse(400, 'Please fill in all required fields correctly', {
      fields: { email: ['This email is already taken'] },
    }),
  )
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@nordbil.example')
  await userEvent.keyboard('{Enter}')
  const email = page.getByRole('textbox', { name: 'Email' })
  await expect.element(email).toHaveAccessibleDescription('This email is already taken')
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveFocus()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada')
})

test('Escape asks before discarding input', async () => {
  await openNewContact()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Ada')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(name).toHaveValue('Ada')
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('an untouched form closes without confirmation', async () => {
  await openNewContact()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('Back asks before discarding the input of a dialog', async () => {
  signInUser()
  network.on('GET /api/contacts', call => pageOf(1, call))
  const app = open('/dashboard')
  await page.getByRole('main').getByRole('link', { name: 'Contacts' }).first().click()
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Hugo')
  void app.go(-1)
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(name).toHaveValue('Hugo')
  await expect.poll(app.address).toBe('/dashboard/contacts')
  void app.go(-1)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(app.address).toBe('/dashboard')
})

test('only the name is required', async () => {
  await openNewContact()
  const dialog = page.getByRole('dialog', { name: 'Create New Contact' })
  await dialog.getByRole('button', { name: 'Create contact' }).click()
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await expect.element(name).toHaveAccessibleDescription('Name is required')
  await expect.element(name).toHaveFocus()
  for (const label of ['Email', 'Phone', 'Website', 'Address']) {
    const box = dialog.getByRole('textbox', { name: label })
    await expect.element(box).not.toHaveAttribute('aria-required', 'true')
  }
  expect(network.requests('/api/contacts').filter(call => call.method === 'POST')).toHaveLength(0)
})

test.each([
  ['all errors, joined with commas', { errors: ['One', 'Two'], message: 'No' }, 'One, Two'],
  ['the message if there are no errors', { errors: [], message: 'No' }, 'No'],
  ['the default message if there is none', { errors: [], message: '' }, 'Failed to create contact'],
])('a failed creation shows %s', async (_, said, shown) => {
  signInUser()
  serveContactCount(0)
  network.on('POST /api/contacts', () => ({ status: 400, body: { success: false, fields: {}, ...said } }))
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByRole('dialog').getByRole('alert'))
    .toHaveTextContent(new RegExp(`^${shown}$`))
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada')
})

test('on a tablet, a panel sorts, and the page numbers are beside the number of contacts', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(768, 1024)
  signInUser()
  serveContactCount(322)
  const app = open('/dashboard/contacts?page=17')
  const count = page.getByText('Showing 161 to 170 of 322 contacts')
  await expect.element(count).toBeVisible()
  const numbers = page.getByRole('navigation', { name: 'Pagination' })
  expect(textsOf(numbers.getByRole('link'))).toHaveLength(9)
  const [left, right] = [count, numbers].map(each => each.element().getBoundingClientRect())
  expect(right?.left).toBeGreaterThan(left?.right ?? 0)
  expect(right?.height).toBeLessThan(50)
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await page.getByRole('combobox', { name: 'Sort by' }).click()
  await page.getByRole('option', { name: 'Email' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?sort=email')
})

test('on a tablet, the phone number and the email of a contact are not cut', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(768, 1024)
  signInUser()
  network.on('GET /api/contacts', call => {
    const answer = pageOf(1, call)
    const more = { phone: '+46 980 31 92 97', email: 'hanna.blomqvist@nordbil.example' }
    return { body: { ...answer.body, data: [contact(1, { name: 'Hanna Blomqvist', ...more })] } }
  })
  open('/dashboard/contacts')
  const row = page.getByRole('list', { name: 'Contacts' }).getByRole('listitem')
  await expect.element(row).toHaveTextContent(/Phone: \+46 980 31 92 97/)
  const name = row.getByRole('link', { name: 'Hanna Blomqvist', exact: true }).element()
  const line = row.getByText('hanna.blomqvist@nordbil.example').element().closest('p')
  for (const text of [name, line]) expect(text?.scrollWidth).toBe(text?.clientWidth)
})

test('at phone width a contact without another fact shows the whole phone number', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  network.on('GET /api/contacts', call => {
    const answer = pageOf(1, call)
    const data = [contact(1, { phone: '+46 980 31 92 97', email: 'hanna.blomqvist@nordbil.example' })]
    return { body: { ...answer.body, data } }
  })
  open('/dashboard/contacts')
  const row = page.getByRole('list', { name: 'Contacts' }).getByRole('listitem')
  await expect.element(row).toHaveTextContent(/Phone: \+46 980 31 92 97$/)
  const phone = row.getByText('+46 980 31 92 97').element().closest('p')
  expect(phone?.scrollWidth).toBe(phone?.clientWidth)
})

test('at phone width, the links that call are below each other, also without one that mails', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  network.on('GET /api/contacts', call => {
    const data = [contact(1, { phone: '+46 8 1' }), contact(2, { phone: '+46 8 2', email: '' })]
    return { body: { ...pageOf(2, call).body, data } }
  })
  open('/dashboard/contacts')
  const calls = page.getByRole('list', { name: 'Contacts' }).getByRole('link', { name: /^Call/ })
  await expect.element(calls.last()).toBeVisible()
  const lefts = calls.elements().map(link => link.getBoundingClientRect().left)
  expect(lefts).toEqual([lefts[0], lefts[0]])
})

test('at phone width the less important actions are in a menu', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  serveContactCount(1)
  const app = open('/dashboard/contacts')
  const main = page.getByRole('main')
  await expect.element(main.getByRole('button', { name: '+ Add New Contact' })).toBeVisible()
  expect(main.getByRole('link', { name: 'Import Contacts' }).elements()).toHaveLength(0)
  await main.getByRole('button', { name: 'More actions' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Find duplicates' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Import Contacts' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts/imports/new')
})

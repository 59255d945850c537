import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Contact } from '~/core'
import { contact, pageOf, serveContactCount } from '~/test/contacts'
import { deferred, errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'

test('a list shows which part of it one sees, and empty values as N/A', async () => {
  signInUser()
  serveContactCount(237)
  open('/dashboard/contacts?page=9')
  await expect.element(page.getByText('Showing 81 to 90 of 237 contacts')).toBeVisible()
  await expect
    .element(page.getByRole('row', { name: /Person 81 person81@nordbil.example N\/A/ }))
    .toBeVisible()
})

test('the footer of a long list sets thousands apart', async () => {
  signInUser()
  serveContactCount(100_207)
  open('/dashboard/contacts?page=1000')
  await expect.element(page.getByText('Showing 9,991 to 10,000 of 100,207 contacts')).toBeVisible()
})

test('the pages left out are an ellipsis', async () => {
  signInUser()
  serveContactCount(237)
  open('/dashboard/contacts?page=9')
  const pages = page.getByRole('navigation', { name: 'Pagination' })
  await expect.element(pages.getByRole('link', { name: 'Page 9' })).toHaveAttribute('aria-current', 'page')
  const shown = [...pages.element().querySelectorAll('li')].map(item => item.textContent)
  expect(shown).toEqual(['1', '…skipped pages', '7', '8', '9', '10', '11', '…skipped pages', '24'])
})

test('while another page loads, the old rows stay in view', async () => {
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

test('a search lives in the address, begins at the first page, and Back undoes it', async () => {
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts?page=2')
  const box = page.getByRole('searchbox', { name: 'Search contacts' })
  await box.fill('  Öberg ')
  await userEvent.keyboard('{Enter}')
  await expect.poll(app.address).toBe('/dashboard/contacts?search=%C3%96berg')
  expect(network.requests('/api/contacts').at(-1)?.query.get('search')).toBe('Öberg')
  // The address changes before the list is drawn; Back in between would undo a search that never was.
  await expect.element(page.getByText('Showing 1 to 10 of 30 contacts')).toBeVisible()
  await app.go(-1)
  await expect.poll(app.address).toBe('/dashboard/contacts?page=2')
  await expect.element(box).toHaveValue('')
})

test('a slash goes to the search box', async () => {
  signInUser()
  serveContactCount(1)
  open('/dashboard/contacts')
  await expect.element(page.getByText('Showing 1 to 1 of 1 contacts')).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
  await expect.element(page.getByRole('searchbox')).toHaveValue('')
})

test('a search that finds nothing says what was searched, and can be cleared', async () => {
  signInUser()
  network.on('GET /api/contacts', call => pageOf(call.query.get('search') ? 0 : 3, call))
  open('/dashboard/contacts?search=zzz')
  await expect.element(page.getByText('No contacts found for “zzz”')).toBeVisible()
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect.element(page.getByText('Showing 1 to 3 of 3 contacts')).toBeVisible()
})

test('a list that failed to load can be tried again', async () => {
  signInUser()
  network.on('GET /api/contacts', () =>
    errorResponse(503, 'The server is busy. Please try again in a moment.'),
  )
  open('/dashboard/contacts')
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent(/Failed to load contacts.*The server is busy/)
  serveContactCount(3)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('Showing 1 to 3 of 3 contacts')).toBeVisible()
})

test('without create permission there is neither a button to add nor one to import', async () => {
  signInUser({ can_read: true, can_create: false, can_update: false, can_delete: false })
  serveContactCount(0)
  open('/dashboard/contacts')
  await expect.element(page.getByText('Contacts will appear here once they are added.')).toBeVisible()
  expect(page.getByText('+ Add New Contact').elements()).toHaveLength(0)
  expect(page.getByText('Import', { exact: false }).elements()).toHaveLength(0)
})

test('a new contact is saved once however often one clicks, and then stands in the list', async () => {
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
  await expect.element(page.getByText('Showing 1 to 1 of 1 contacts')).toBeVisible()
  expect(network.requests('/api/contacts').filter(call => call.method === 'POST')).toHaveLength(1)
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('a refused contact keeps what was typed, and the refusal stands beside its field', async () => {
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

test('Escape asks before it throws typed work away', async () => {
  signInUser()
  serveContactCount(0)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
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

test('an untouched form closes at once', async () => {
  signInUser()
  serveContactCount(0)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('the Back button asks before it throws away what was typed into a dialog', async () => {
  signInUser()
  network.on('GET /api/contacts', call => ({ body: pageOf(1, call) }))
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

test('the form asks for a name alone, says so in place, and calls nobody without one', async () => {
  signInUser()
  serveContactCount(0)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
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
  ['its errors joined with commas', { errors: ['One', 'Two'], message: 'No' }, 'One, Two'],
  ['its message', { errors: [], message: 'No' }, 'No'],
  ['our own sentence', { errors: [], message: '' }, 'Failed to create contact'],
])(
  'a contact that cannot be created shows what the server says, or else the next best: %s',
  async (_, said, shown) => {
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
  },
)

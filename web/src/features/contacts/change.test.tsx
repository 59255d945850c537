import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contact, pageOf, serveContact, serveContactCount } from '~/test/contacts'
import { delayResponse, errorMessages, errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'
import { readPermission } from '~/test/rights'

const edit = async (name = 'Person 1') => {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
  return page.getByRole('dialog', { name: 'Edit Contact' })
}

test.each([
  [readPermission, [], []],
  [{ ...readPermission, can_update: true }, ['Edit Person 1'], ['Edit']],
  [{ ...readPermission, can_delete: true }, ['Delete Person 1'], ['More actions']],
])(
  'with the permissions %j, the user sees only the buttons that they allow',
  async (rights, icons, onPage) => {
    signInUser(rights)
    serveContactCount(1)
    serveContact()
    const app = open('/dashboard/contacts')
    await expect.element(page.getByRole('link', { name: 'View details of Person 1' })).toBeVisible()
    const buttons = page
      .getByRole('row', { name: /Person 1/ })
      .getByRole('button')
      .elements()
    expect(buttons.map(button => button.getAttribute('aria-label'))).toEqual(icons)
    await app.visit('/dashboard/contacts/id-1')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Person 1' })).toBeVisible()
    const there = ['Edit', 'More actions'].filter(
      name => page.getByRole('button', { name, exact: true }).elements().length > 0,
    )
    expect(there).toEqual(onPage)
  },
)

/** Makes the fake server respond with a list of `total` contacts, one fewer after the contact `id` was deleted. */
function serveDeletion(total: number, id: string) {
  serveContactCount(total)
  network.on(`DELETE /api/contacts/${id}`, () => {
    serveContactCount(total - 1)
    return { body: { success: true, message: '' } }
  })
}

/** Opens a list of one contact. The fake server rejects the request `call` with this status and message. */
function openFailing(call: string, status: number, message: string) {
  signInUser()
  serveContactCount(1)
  network.on(call, () => errorResponse(status, message))
  open('/dashboard/contacts')
}

test('the edit form shows the contact and sends its version without other details', async () => {
  signInUser()
  const there = { phone: '+46 70 1', website: 'nordbil.example', address: 'Storgatan 1, Lund', version: 7 }
  network.on('GET /api/contacts', call => {
    const { body } = pageOf(1, call)
    return { body: { ...body, data: [contact(1, { ...there, otherDetails: { Kundnummer: '10045' } })] } }
  })
  network.on('PUT /api/contacts/id-1', ({ body }) => ({
    body: { success: true, data: contact(1, body as object) },
  }))
  open('/dashboard/contacts')
  const dialog = await edit()
  for (const [label, value] of [
    ['Name', 'Person 1'],
    ['Email', 'person1@nordbil.example'],
    ['Phone', there.phone],
    ['Website', there.website],
    ['Address', there.address],
  ] as const) {
    await expect.element(dialog.getByRole('textbox', { name: label })).toHaveValue(value)
  }
  await dialog.getByRole('textbox', { name: 'Email' }).fill('ada@nordbil.example')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Contact updated successfully').first()).toBeVisible()
  expect(network.requests('/api/contacts/id-1').map(call => call.body)).toEqual([
    {
      name: 'Person 1',
      email: 'ada@nordbil.example',
      phone: there.phone,
      website: there.website,
      address: there.address,
      version: 7,
    },
  ])
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  // Two requests, because the list was reloaded.
  expect(network.requests('/api/contacts').length).toBe(2)
})

test('a contact with an invalid stored website can be saved if the website is unchanged', async () => {
  signInUser()
  const website = 'no website'
  network.on('GET /api/contacts', call => {
    const { body } = pageOf(1, call)
    return { body: { ...body, data: [contact(1, { website })] } }
  })
  network.on('PUT /api/contacts/id-1', ({ body }) => ({
    body: { success: true, data: contact(1, body as object) },
  }))
  open('/dashboard/contacts')
  const dialog = await edit()
  const field = dialog.getByRole('textbox', { name: 'Website' })
  await field.fill('javascript:alert(1)')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByText('Please enter a valid website, such as example.com')).toBeVisible()
  expect(network.requests('/api/contacts/id-1')).toHaveLength(0)
  await field.fill(website)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Bo')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Contact updated successfully').first()).toBeVisible()
  expect(network.requests('/api/contacts/id-1').map(call => call.body)).toMatchObject([
    { name: 'Bo', website },
  ])
})

test('an empty name is reported at its field', async () => {
  signInUser()
  serveContactCount(1)
  open('/dashboard/contacts')
  const dialog = await edit()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('  ')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(dialog.getByRole('textbox', { name: 'Name' }))
    .toHaveAccessibleDescription('Name is required')
  expect(network.requests('/api/contacts/id-1')).toHaveLength(0)
})

test.each(errorMessages('Failed to update contact'))(
  'a failed update shows why (%j) and keeps the input',
  async (message, shown) => {
    openFailing('PUT /api/contacts/id-1', 503, message)
    const dialog = await edit()
    await dialog.getByRole('textbox', { name: 'Phone' }).fill('+46 70 2')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(shown)
    await expect.element(dialog.getByRole('textbox', { name: 'Phone' })).toHaveValue('+46 70 2')
  },
)

test('a conflict shows both versions, and the next save is based on theirs', async () => {
  signInUser()
  serveContactCount(1)
  let present = contact(1, { phone: '+46 70 9', address: 'Hamngatan 2', version: 5 })
  network.on('PUT /api/contacts/id-1', ({ body }) => {
    const input = body as { version: number }
    if (input.version !== present.version)
      return errorResponse(409, 'Someone else has changed this.', { data: present })
    present = { ...present, ...input }
    return { body: { success: true, data: present } }
  })
  open('/dashboard/contacts')
  const dialog = await edit()
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('+46 70 2')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('group', { name: 'Phone' })).toBeVisible()
  await expect.element(dialog.getByRole('radio', { name: /Yours \+46 70 2/ })).toBeChecked()
  await expect.element(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue('Hamngatan 2')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => present).toMatchObject({ phone: '+46 70 2', address: 'Hamngatan 2', version: 5 })
})

test('deleting a contact asks for confirmation with its name', async () => {
  signInUser()
  serveDeletion(3, 'id-2')
  open('/dashboard/contacts')
  const icon = page.getByRole('button', { name: 'Delete Person 2' })
  await icon.click()
  const dialog = page.getByRole('dialog', { name: 'Delete contact' })
  await expect.element(dialog).toHaveTextContent('Are you sure you want to delete this contact?')
  await expect.element(dialog.getByText('Person 2', { exact: true })).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  expect(network.requests('/api/contacts/id-2')).toHaveLength(0)
  await icon.click()
  await dialog.getByRole('button', { name: 'Delete contact' }).click()
  await expect.element(page.getByText('Contact deleted successfully').first()).toBeVisible()
  await expect.element(page.getByText('Showing 1 to 2 of 2 contacts')).toBeVisible()
})

test.each(errorMessages('Failed to delete contact', 'You may not do this.'))(
  'a failed deletion shows why (%j), and the contact stays',
  async (message, shown) => {
    openFailing('DELETE /api/contacts/id-1', 403, message)
    await page.getByRole('button', { name: 'Delete Person 1' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete contact' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(shown)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(page.getByText('Showing 1 to 1 of 1 contact')).toBeVisible()
  },
)

test('deleting the only contact of the last page shows the previous page', async () => {
  signInUser()
  serveDeletion(11, 'id-11')
  const app = open('/dashboard/contacts?page=2&search=person')
  await page.getByRole('button', { name: 'Delete Person 11' }).click()
  await page.getByRole('button', { name: 'Delete contact' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?search=person')
  await expect.element(page.getByText('Showing 1 to 10 of 10 contacts')).toBeVisible()
})

test('deleting the only contact shows the empty state', async () => {
  signInUser()
  serveDeletion(1, 'id-1')
  open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Delete Person 1' }).click()
  await page.getByRole('button', { name: 'Delete contact' }).click()
  await expect.element(page.getByText('No contacts yet')).toBeVisible()
  expect(network.requests('/api/contacts')).toHaveLength(2)
})

test('deleting a contact on its page leads to its list, and Back does not return to it', async () => {
  signInUser()
  let total = 11
  network.on('GET /api/contacts', call => pageOf(total, call))
  network.on('GET /api/contacts/id-11', () => ({ body: { success: true, data: contact(11) } }))
  const release = delayResponse('DELETE /api/contacts/id-11', () => {
    total = 10
    return { body: { success: true, message: '' } }
  })
  const app = open('/dashboard/contacts')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await page.getByRole('link', { name: 'View details of Person 11' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const lose = page.getByRole('button', { name: 'Delete contact' })
  await lose.click()
  await expect.element(lose).toHaveAttribute('aria-busy', 'true')
  release()
  await expect.element(page.getByText('Showing 1 to 10 of 10 contacts')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/contacts')
  await app.go(-1)
  await expect.poll(app.address).not.toContain('id-11')
})

import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core, type User, type UserInput, type UserUpdateInput } from '~/core'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, findDeletionQuestion, open, textsOf } from '~/test/open'
import { readPermission, signInForAdministration } from '~/test/rights'
import { role, serveRoles } from '~/test/roles'
import { openUsers, pageOf, reception, user, usersOf } from '~/test/users'

const field = (name: string) => page.getByRole('textbox', { name })
const password = (name: string) => page.getByLabelText(name, { exact: true })
const choice = (name: string) => page.getByRole('combobox', { name })
const edit = (name: string) => page.getByRole('button', { name: `Edit ${name}` })
const save = page.getByRole('button', { name: 'Save changes' })
const sent = (method: string, path: string) =>
  network
    .requests(path)
    .filter(call => call.method === method)
    .map(call => call.body as UserUpdateInput)

async function choose(select: string, value: string) {
  await choice(select).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

test('a row shows name, email, role (or N/A), type, date and status', async () => {
  openUsers([
    user(1),
    user(2, { role: undefined, user_type: 'Admin', is_active: false }),
    user(3, { is_banned: true }),
  ])
  await expect
    .element(page.getByRole('row', { name: /Hugo Berg A hugo1@nordbil.example Sales User .*2026.* Active/ }))
    .toBeVisible()
  await expect.element(page.getByRole('row', { name: /Berg B .* N\/A Admin .* Inactive/ })).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Berg C .* Banned/ })).toBeVisible()
  await expect.element(page.getByText('Manage users in your corporation')).toBeVisible()
  expect(document.title).toContain('User Management')
})

test('a page has 15 users, and its number is in the URL', async () => {
  const app = openUsers(usersOf(31), '/dashboard/users?page=2')
  await expect.element(page.getByText('Showing 16 to 30 of 31 users')).toBeVisible()
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect.element(page.getByText('Showing 31 to 31 of 31 users')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/users?page=3')
})

test('the header Status sorts banned users together, whether or not they are active', async () => {
  const app = openUsers(usersOf(2))
  await page.getByRole('columnheader', { name: 'Status' }).getByRole('button').click()
  await expect.poll(app.address).toBe('/dashboard/users?sort=is_banned%2Cis_active')
})

test('an unsuccessful search can be cleared', async () => {
  const app = openUsers(usersOf(2))
  network.on('GET /api/users', call => pageOf(call.query.get('search') ? [] : usersOf(2), call))
  await page.getByRole('searchbox', { name: 'Search users' }).fill('zzz')
  await expect.element(page.getByText('No users found')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/users?search=zzz')
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect.element(page.getByText('Showing 1 to 2 of 2 users')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/users?view=all')
})

test('a row has an edit button only if both the page and the row permit editing', async () => {
  signInForAdministration({ users: { ...readPermission, can_update: true } })
  network.on('GET /api/users', call => pageOf([user(1), user(2, { can_update: false })], call))
  open('/dashboard/users')
  await expect.element(edit('Hugo Berg A')).toBeVisible()
  expect(edit('Hugo Berg B').elements()).toHaveLength(0)
  expect(page.getByRole('button', { name: /^(Delete|Add User)/ }).elements()).toHaveLength(0)
})

test('a click on a row edits the user, unless they can not be edited', async () => {
  openUsers([user(1), user(2, { can_update: false })])
  const row = (name: string) => page.getByRole('row', { name })
  const background = (name: string) => getComputedStyle(row(name).element()).backgroundColor
  await expect.element(row('Hugo Berg B')).toBeVisible()
  const plain = background('Hugo Berg B')
  await row('Hugo Berg B').hover()
  // The buttons of a row under the pointer are shown at once, its colour fades in.
  await new Promise(done => setTimeout(done, 300))
  expect(background('Hugo Berg B')).toBe(plain)
  await page.getByText('hugo2@nordbil.example').click()
  expect(page.getByRole('dialog').elements()).toHaveLength(0)
  await row('Hugo Berg A').hover()
  await expect.poll(() => background('Hugo Berg A')).not.toBe(plain)
  await page.getByText('hugo1@nordbil.example').click()
  await expect.element(page.getByRole('dialog', { name: 'Edit user' })).toBeVisible()
  await expect.element(field('Email')).toHaveValue('hugo1@nordbil.example')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Hugo Berg A', exact: true })).toHaveFocus()
})

test('at 1024 px the list shows its most important columns without scrolling', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1024, 768)
  openUsers([user(1)])
  const heads = page.getByRole('columnheader')
  await expect.poll(() => textsOf(heads)).toEqual(['Name', 'Email', 'Role', 'Type', 'Status', 'Actions'])
  const scroller = page.getByRole('table').element().parentElement as Element
  expect(scroller.scrollWidth).toBe(scroller.clientWidth)
  const email = page.getByText('hugo1@nordbil.example').element().closest('td') as Element
  expect(email.scrollWidth, 'the email is not cut').toBe(email.clientWidth)
})

test('an empty form shows an error at each field and a toast', async () => {
  openUsers([])
  await page.getByRole('button', { name: 'Add User' }).click()
  await page.getByRole('button', { name: 'Add user', exact: true }).click()
  await expect.element(page.getByText('Please fill in all required fields').first()).toBeVisible()
  // Five fields: first name, last name, email, role and password.
  await expect.poll(() => page.getByText('This field is required').elements()).toHaveLength(5)
  await expect.element(field('First name')).toHaveFocus()
  expect(sent('POST', '/api/users')).toHaveLength(0)
})

test('a new user gets a role and is shown in the list', async () => {
  const { server } = openUsers([])
  network.on('POST /api/users', ({ body }) => {
    server.users = [user(1, body as UserInput as Partial<User>)]
    return { status: 201, body: { success: true, message: '', data: server.users[0] } }
  })
  await page.getByRole('button', { name: 'Add User' }).click()
  await expect.element(field('First name')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Please fill in all required fields').first()).toBeVisible()
  await field('First name').fill('Maja')
  await field('Last name').fill('Holm')
  await field('Email').fill('maja@nordbil.example')
  await expect.element(choice('Type')).toHaveTextContent('User')
  await choose('Role', 'Reception')
  await password('Password').fill('secret')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('User created successfully').first()).toBeVisible()
  // The toast about missing fields has disappeared after the user was saved.
  await expect.poll(() => page.getByText('Please fill in all required fields').elements()).toHaveLength(0)
  await expect.element(page.getByText('Showing 1 to 1 of 1 user')).toBeVisible()
  expect(sent('POST', '/api/users')[0]).toMatchObject({
    first_name: 'Maja',
    last_name: 'Holm',
    email: 'maja@nordbil.example',
    user_type: 'User',
    role_id: 'r2',
    password: 'secret',
  })
})

test.each([360, 1280])('a role with a long name fits the form, at a width of %d px', async width => {
  await page.viewport(width, 800)
  try {
    openUsers([
      user(1, { role: { role_id: 'r3', name: `Trade-ins and valuations of ${'used '.repeat(12)}cars` } }),
    ])
    network.on('GET /api/rbac/roles', () => errorResponse(403, "You don't have permission to do this."))
    if (width < 1024) {
      await page.getByRole('button', { name: 'Actions for Hugo Berg A' }).click()
      await page.getByRole('menuitem', { name: 'Edit Hugo Berg A' }).click()
    } else await edit('Hugo Berg A').click()
    await expect.element(choice('Role')).toHaveTextContent('Trade-ins')
    const right = (of: Element) => of.getBoundingClientRect().right
    const edge = right(field('Email').element())
    expect(right(choice('Role').element())).toBeLessThanOrEqual(edge)
    await choice('Role').click()
    await expect.element(page.getByRole('option', { name: /^Trade-ins/ })).toBeVisible()
    expect(right(page.getByRole('listbox').element())).toBeLessThanOrEqual(width)
    expect(page.getByRole('dialog').element().contains(page.getByRole('listbox').element())).toBe(true)
  } finally {
    await page.viewport(1280, 800)
  }
})

test('at phone width a tap on a user opens the menu of the row', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openUsers([user(1), user(2, { can_update: false, can_delete: false })])
  const rows = page.getByRole('list', { name: 'Users' }).getByRole('listitem')
  await expect
    .element(rows.first())
    .toHaveTextContent(/Hugo Berg A Status: Active\s· Role: Sales\s· Type: User ?Email: hugo1@/)
  const email = rows
    .first()
    .getByText(/^hugo1@/)
    .element()
    .closest('p')
  expect(email, 'the email has a line of its own').toHaveTextContent(/^Email: hugo1@/)
  expect(email?.scrollWidth, 'the whole email is visible').toBe(email?.clientWidth)
  await rows.first().click({ position: { x: 80, y: 20 } })
  await page.getByRole('menuitem', { name: 'Edit Hugo Berg A' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Edit User' })).toBeVisible()
  expect(rows.last().getByRole('button').elements()).toHaveLength(0)
})

test('in a narrow window a slow click on a user opens the menu of the row, too', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(900, 740)
  openUsers([user(1)])
  const row = page.getByRole('list', { name: 'Users' }).getByRole('listitem').first()
  await row.click({ position: { x: 80, y: 20 }, delay: 150 })
  await expect.element(page.getByRole('menuitem', { name: 'Edit Hugo Berg A' })).toBeVisible()
  await new Promise(done => setTimeout(done, 300))
  await expect.element(page.getByRole('menuitem', { name: 'Edit Hugo Berg A' })).toBeVisible()
})

test('an Admin cannot assign a type above their own', async () => {
  openUsers([])
  await page.getByRole('button', { name: 'Add User' }).click()
  await choice('Type').click()
  await expect.element(page.getByRole('option', { name: 'Admin', exact: true })).toBeVisible()
  expect(page.getByRole('option', { name: 'Super Admin' }).elements()).toHaveLength(0)
})

test('an edit sends its version, and a taken email is reported', async () => {
  openUsers([user(1)])
  const taken = 'Another account already uses this email'
  network.on('PUT /api/users/id-1', () => errorResponse(409, taken, { fields: { email: [taken] } }))
  await edit('Hugo Berg A').click()
  await expect.element(page.getByText('Leave empty to keep the current password.')).toBeVisible()
  await expect.element(choice('Role')).toHaveTextContent('Sales')
  await field('Email').fill('eve@nordbil.example')
  await save.click()
  await expect.element(page.getByText(taken)).toBeVisible()
  await expect.element(field('Email')).toHaveFocus()
  const [body] = sent('PUT', '/api/users/id-1')
  expect(body).toMatchObject({ email: 'eve@nordbil.example', password: '', version: 4 })
  await expect.element(field('First name')).toHaveValue('Hugo')
})

test('demoting the last administrator shows why it is rejected', async () => {
  openUsers([user(1, { user_type: 'Admin' })])
  const why = "This is the corporation's last active Admin. Add another one first."
  network.on('PUT /api/users/id-1', () => errorResponse(409, why))
  await edit('Hugo Berg A').click()
  await choose('Type', 'User')
  await save.click()
  await expectAlert(why)
  await save.click()
  await expect.poll(() => sent('PUT', '/api/users/id-1')).toHaveLength(2)
  expect(sent('PUT', '/api/users/id-1')[1]?.version).toBe(4)
})

test('a conflict shows both versions, and the next save is based on theirs', async () => {
  openUsers([user(1)])
  const present = user(1, { first_name: 'Viktor', last_name: 'Ek', role: reception, version: 6 })
  network.on('PUT /api/users/id-1', ({ body }) =>
    (body as UserUpdateInput).version === 6
      ? { body: { success: true, message: '', data: present } }
      : errorResponse(409, core.texts().general.stale.text, { data: present }),
  )
  await edit('Hugo Berg A').click()
  await field('First name').fill('Victor')
  await password('New password').fill('secret-words')
  await save.click()
  await expect.element(field('First name')).toHaveValue('Victor')
  await expect.element(page.getByRole('radio', { name: 'Theirs Viktor' })).not.toBeChecked()
  await expect.element(field('Last name')).toHaveValue('Ek')
  await expect.element(choice('Role')).toHaveTextContent('Reception')
  await expect.element(password('New password')).toHaveValue('secret-words')
  await expect
    .element(page.getByRole('region', { name: /^Someone else/ }))
    .toHaveTextContent(/RoleReception ?Previously: ?Sales/)
  await save.click()
  await expect.element(page.getByText('User updated successfully')).toBeVisible()
  expect(sent('PUT', '/api/users/id-1')).toMatchObject([
    { version: 4, first_name: 'Victor', last_name: 'Berg A', role_id: 'r1' },
    { version: 6, first_name: 'Victor', last_name: 'Ek', role_id: 'r2', password: 'secret-words' },
  ])
})

test('users can change their own name here, but not their email and password', async () => {
  openUsers([user(1, { user_id: 'u1', first_name: 'Ada', last_name: 'Lind', can_delete: false })])
  network.on('PUT /api/users/u1', () => {
    const corp = { corp_id: 'c1', corp_name: 'Nordbil AB', country: 'GB', currency: 'GBP', vat_rate: 20 }
    const name = { first_name: 'Augusta', last_name: 'Lind' }
    const data = {
      id: 'u1',
      email: 'ada@nordbil.example',
      ...name,
      mobile: '',
      type: 'Admin',
      role: '',
      corp,
    }
    network.on('GET /api/auth/profile/detail', () => ({ body: { success: true, data } }))
    return { body: { success: true, message: '', data: user(1) } }
  })
  await edit('Ada Lind').click()
  await expect.element(field('Email')).toHaveAttribute('readonly')
  await expect.element(page.getByText('Change your own email and password in Settings.')).toBeVisible()
  expect(password('New password').elements()).toHaveLength(0)
  await field('First name').fill('Augusta')
  await save.click()
  await expect.element(page.getByText('User updated successfully')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Profile menu of Augusta Lind/ })).toBeVisible()
})

test('deleting asks for confirmation and shows errors', async () => {
  const { server } = openUsers([user(1)])
  network.on('DELETE /api/users/id-1', () => errorResponse(503, 'The server is busy.'))
  await page.getByRole('button', { name: 'Delete Hugo Berg A' }).click()
  const { dialog, confirm } = await findDeletionQuestion('user', 'Hugo Berg A')
  await confirm.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The server is busy.')
  network.on('DELETE /api/users/id-1', () => {
    server.users = []
    return { body: { success: true, message: 'User deleted successfully' } }
  })
  await confirm.click()
  await expect.element(page.getByText('User deleted successfully')).toBeVisible()
  await expect.element(page.getByText('No users found')).toBeVisible()
})

test('only roles that the user may give to others are offered', async () => {
  openUsers([])
  serveRoles(role('Sales', { can_assign: false }), role('Reception'))
  await page.getByRole('button', { name: 'Add User' }).click()
  await choice('Role').click()
  await expect.poll(() => textsOf(page.getByRole('option'))).toEqual(['Reception'])
})

test('without roles the form links to the page that creates them', async () => {
  const app = openUsers([])
  network.on('GET /api/rbac/roles', () => ({ body: { success: true, data: [] } }))
  await page.getByRole('button', { name: 'Add User' }).click()
  await expect.element(page.getByText('Your corporation has no roles yet')).toBeVisible()
  await page.getByRole('link', { name: 'Create a role first' }).click()
  await expect.poll(app.address).toBe('/dashboard/roles')
})

test('without access to roles, a user can choose among those on the page', async () => {
  openUsers([])
  const release = delayResponse('GET /api/users', call =>
    pageOf([user(1), user(2, { role: reception }), user(3)], call),
  )
  network.on('GET /api/rbac/roles', () => errorResponse(403, "You don't have permission to do this."))
  await page.getByRole('button', { name: 'Add User' }).click()
  await expect.element(page.getByText("You can't choose a role because", { exact: false })).toBeVisible()
  // The roles load while the form is open.
  release()
  await expect
    .element(
      page.getByText("You don't have access to all roles. These are the roles of the users on this page."),
    )
    .toBeVisible()
  await choice('Role').click()
  const options = page.getByRole('option')
  await expect.poll(() => textsOf(options)).toEqual(['Reception', 'Sales'])
})

test('a skeleton is shown while loading, and a failed request can be retried', async () => {
  const { server } = openUsers(usersOf(1))
  const release = delayResponse('GET /api/users', () =>
    errorResponse(503, 'The server is busy. Please try again in a moment.'),
  )
  await expect.element(page.getByRole('main').getByText('Loading')).toBeInTheDocument()
  release()
  await expectAlert(/Failed to load users.*The server is busy/)
  network.on('GET /api/users', call => pageOf(server.users, call))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('Showing 1 to 1 of 1 user')).toBeVisible()
})

test('a 403 shows that the user has no access to users', async () => {
  signInForAdministration({ users: readPermission })
  network.on('GET /api/users', () => errorResponse(403, "You don't have permission to do this."))
  open('/dashboard/users')
  await expect.element(page.getByText("You don't have access to users")).toBeVisible()
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
})

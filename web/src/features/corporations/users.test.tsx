import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core } from '~/core'
import { drafts } from '~/lib/drafts'
import { disconnect } from '~/test/connection'
import { corporation, serveKestrel, signInPlatformAdministrator, user } from '~/test/corporations'
import { errorResponse, network } from '~/test/network'
import { open, textsOf } from '~/test/open'

const ban = { isBanned: true, reason: 'Repeated spam', bannedAt: '2026-10-01T10:00:00Z' }
const sales = { role_id: 'r1', name: 'Sales' }

function serveRoles(...data: object[]) {
  network.on('GET /api/corporations/c-1/roles', () => ({
    body: {
      success: true,
      data: data.map(role => ({
        description: '',
        permissionsCount: 0,
        permissions: {},
        usersCount: 0,
        version: 1,
        can_update: true,
        can_assign: true,
        ...role,
      })),
    },
  }))
}

function openUsers() {
  signInPlatformAdministrator()
  serveRoles(sales, { role_id: 'r2', name: 'Reception' })
  return open('/dashboard/corporations/c-1/users')
}

const within = (name: string) => {
  const dialog = page.getByRole('dialog', { name })
  return {
    dialog,
    box: (label: string) => dialog.getByLabelText(label, { exact: true }),
    choose: async (label: string, option: string) => {
      await dialog.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option }).click()
    },
  }
}

test.each([
  { button: 'Edit corporation', key: 'corporation c-1' },
  { button: 'Add User', key: 'user  of c-1' },
  { button: 'Decline', key: 'decline of c-1' },
])('the button "$button" shows that its form has a draft', async ({ button, key }) => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save(key, { typed: { city: { value: 'Lund', base: '' } } })
  onTestFinished(() => drafts.forget(key))
  serveKestrel(() => [user('u2', 'Ada')])
  network.on('GET /api/corporations/c-1', () => ({
    body: { success: true, data: corporation(1, { corp_active: false, awaits_approval: true }) },
  }))
  openUsers()
  await expect.element(page.getByRole('button', { name: button })).toHaveTextContent('Draft')
})

test('Back without a connection shows the corporation and its users of before', async () => {
  serveKestrel(() => [user('u2', 'Grace')])
  const { go, visit } = openUsers()
  const table = page.getByRole('table', { name: 'Users' })
  await expect.element(table.getByText('u2@kestrel.example')).toBeVisible()
  await visit('/dashboard/nothing')
  disconnect('GET /api/corporations/c-1', 'GET /api/corporations/c-1/users')
  await go(-1)
  await expect.element(table.getByText('u2@kestrel.example')).toBeVisible()
  await expect.element(table).toHaveAttribute('aria-busy', 'true')
  await expect.element(page.getByText('Users for Kestrel Cars Ltd')).toBeVisible()
})

test('a new user needs name, email, role and password', async () => {
  serveKestrel(() => [])
  openUsers()
  await page.getByRole('main').getByRole('button', { name: 'Add User' }).first().click()
  const { dialog, box, choose } = within('Add User')
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await expect.poll(() => dialog.getByText('This field is required').elements()).toHaveLength(5)
  await expect.element(box('First Name')).toHaveFocus()
  await box('First Name').fill('Bo')
  await box('Last Name').fill('Ek')
  await box('Email').fill('bo@kestrel.example')
  await dialog.getByRole('combobox', { name: 'User Type' }).click()
  expect(textsOf(page.getByRole('option'))).toEqual(['User', 'Admin'])
  await page.getByRole('option', { name: 'Admin' }).click()
  await choose('Role', 'Reception')
  await dialog.getByLabelText('Password', { exact: true }).fill('secret')
  network.on('POST /api/corporations/users', () => {
    serveKestrel(() => [user('u9', 'Bo', { last: 'Ek' })])
    return { status: 201, body: { success: true, message: '' } }
  })
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('User created successfully')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Bo Ek/ })).toBeVisible()
  expect(network.requests('/api/corporations/users').map(call => call.body)).toEqual([
    {
      corp_id: 'c-1',
      first_name: 'Bo',
      last_name: 'Ek',
      email: 'bo@kestrel.example',
      mobile: '',
      user_type: 'Admin',
      role_id: 'r2',
      password: 'secret',
    },
  ])
})

test('an edit sends an empty password, which keeps the current one', async () => {
  serveKestrel(() => [user('u2', 'Grace', { mobile: '+44 1', UserRole: sales })])
  openUsers()
  // A click anywhere on the row.
  await page.getByText('u2@kestrel.example').click()
  const { dialog, box } = within('Edit user')
  await expect.element(dialog.getByRole('combobox', { name: 'Role' })).toHaveTextContent('Sales')
  await expect.element(box('Mobile')).toHaveValue('+44 1')
  await expect.element(dialog.getByText('Leave empty to keep the current password.')).toBeVisible()
  const taken = 'Another account already uses this email'
  network.on('PUT /api/corporations/users/u2', () =>
    errorResponse(409, taken, { fields: { email: [taken] } }),
  )
  await box('Email').fill('other@kestrel.example')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog.getByText(taken)).toBeVisible()
  await expect.element(box('Email')).toHaveFocus()
  network.on('PUT /api/corporations/users/u2', () => ({ body: { success: true, message: '' } }))
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('User updated successfully')).toBeVisible()
  expect(network.requests('/api/corporations/users/u2').at(-1)?.body).toEqual({
    first_name: 'Grace',
    last_name: 'Whitfield',
    email: 'other@kestrel.example',
    mobile: '+44 1',
    user_type: 'User',
    role_id: 'r1',
    password: '',
    version: 5,
  })
})

test('a failed save shows why, and a conflict both versions', async () => {
  serveKestrel(() => [user('u2', 'Grace', { UserRole: sales })])
  openUsers()
  await page.getByRole('button', { name: 'Edit Grace Whitfield' }).click()
  const { dialog, box } = within('Edit user')
  const save = dialog.getByRole('button', { name: 'Save changes' })
  network.on('PUT /api/corporations/users/u2', () => errorResponse(500, ''))
  await box('First Name').fill('Gracia')
  await save.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Failed to create or update user')
  const stale = core.texts().general.stale.text
  const present = user('u2', 'Graciela', { UserRole: sales, mobile: '+44 2', version: 8 })
  network.on('PUT /api/corporations/users/u2', () => errorResponse(409, stale, { data: present }))
  await save.click()
  await expect.element(dialog.getByRole('region', { name: stale })).toBeVisible()
  await expect.element(box('Mobile')).toHaveValue('+44 2')
  await expect.element(box('First Name')).toHaveValue('Gracia')
  await dialog.getByRole('radio', { name: 'Theirs Graciela' }).click()
  await expect.element(box('First Name')).toHaveValue('Graciela')
  network.on('PUT /api/corporations/users/u2', () => ({ body: { success: true, message: '' } }))
  await save.click()
  await expect.element(page.getByText('User updated successfully')).toBeVisible()
  const versions = network
    .requests('/api/corporations/users/u2')
    .map(({ body }) => (body as { version?: number }).version)
  expect(versions).toEqual([5, 5, 8])
})

test('a failed request of roles can be retried, and missing roles are reported', async () => {
  serveKestrel(() => [user('u2', 'Grace')])
  openUsers()
  network.on('GET /api/corporations/c-1/roles', () => errorResponse(500, ''))
  await page.getByRole('button', { name: 'Add User' }).click()
  const { dialog } = within('Add User')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Failed to load roles')
  serveRoles()
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(dialog.getByText('This corporation has no roles yet.')).toBeVisible()
})

test('deactivating asks for confirmation and can be undone', async () => {
  let is_active = true
  serveKestrel(() => [user('u2', 'Grace', { is_active })])
  network.on('PUT /api/corporations/users/u2', ({ body }) => {
    is_active = (body as { is_active: boolean }).is_active
    return { body: { success: true, message: is_active ? 'User updated successfully' : '' } }
  })
  openUsers()
  await page.getByRole('button', { name: 'Deactivate Grace Whitfield' }).click()
  const question = page.getByRole('dialog', { name: 'Deactivate Grace Whitfield?' })
  await expect.element(question.getByText(/Are you sure you want to deactivate this user\?/)).toBeVisible()
  // Cancel has the focus, not the button that deactivates the user.
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await question.getByRole('button', { name: 'Deactivate user' }).click()
  await expect.element(page.getByText('User deactivated successfully')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Grace Whitfield .* Inactive/ })).toBeVisible()
  await page.getByRole('button', { name: 'Activate Grace Whitfield' }).click()
  await page.getByRole('button', { name: 'Activate user' }).click()
  await expect.element(page.getByText('User updated successfully')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Grace Whitfield .* Active/ })).toBeVisible()
  expect(network.requests('/api/corporations/users/u2').map(call => call.body)).toEqual([
    { is_active: false, version: 5 },
    { is_active: true, version: 5 },
  ])
})

test('a user who is banned and inactive stays banned when activated', async () => {
  serveKestrel(() => [user('u2', 'Grace', { is_active: false, ban })])
  openUsers()
  await expect.element(page.getByRole('row', { name: /Grace Whitfield .* Banned Inactive/ })).toBeVisible()
  await page.getByRole('button', { name: 'Activate Grace Whitfield' }).click()
  await expect
    .element(page.getByRole('dialog', { name: 'Activate Grace Whitfield?' }))
    .toHaveTextContent(
      "The user stays banned: u2@kestrel.example can't sign in until the ban is lifted, too.",
    )
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Lift the ban on Grace Whitfield' }).click()
  await expect
    .element(page.getByRole('dialog', { name: 'Lift the ban on Grace Whitfield?' }))
    .toHaveTextContent("The user stays inactive: u2@kestrel.example can't sign in until activated, too.")
})

test('a failed deactivation shows why in the dialog', async () => {
  serveKestrel(() => [user('u2', 'Grace', { type: 'Admin' })])
  const last = "This is the corporation's last active Admin. Add another one first."
  network.on('PUT /api/corporations/users/u2', () => errorResponse(409, last))
  openUsers()
  await page.getByRole('button', { name: 'Deactivate Grace Whitfield' }).click()
  await page.getByRole('button', { name: 'Deactivate user' }).click()
  await expect.element(page.getByRole('dialog').getByRole('alert')).toHaveTextContent(last)
})

test('Deactivate is offered only where it is allowed, Activate for all users', async () => {
  serveKestrel(() => [
    user('u2', 'Grace', { type: 'Admin', can_deactivate: false }),
    user('u3', 'Bo', { type: 'Admin', can_deactivate: false, is_active: false }),
  ])
  openUsers()
  await expect.element(page.getByRole('button', { name: 'Edit Grace Whitfield' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Deactivate Grace Whitfield' }).elements()).toHaveLength(0)
  await expect.element(page.getByRole('button', { name: 'Activate Bo Whitfield' })).toBeVisible()
})

test('Super Admins are not editable, and users cannot deactivate themselves', async () => {
  serveKestrel(() => [
    user('u1', 'Ada', { type: 'Super Admin', can_deactivate: false }),
    user('u2', 'Eve', { type: 'Super Admin' }),
  ])
  openUsers()
  await expect.element(page.getByRole('button', { name: 'Deactivate Eve Whitfield' })).toBeVisible()
  expect(page.getByRole('button', { name: /^(Edit )?(Ada|Eve)/ }).elements()).toHaveLength(0)
  expect(page.getByRole('button', { name: 'Deactivate Ada Whitfield' }).elements()).toHaveLength(0)
})

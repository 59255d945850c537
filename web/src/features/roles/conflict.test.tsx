import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core, type PermissionsInput } from '~/core'
import { errorResponse, network } from '~/test/network'
import { noPermissions, readPermission } from '~/test/rights'
import { matrix, openRoles, role, storedPermissions } from '~/test/roles'

const row = (name: string) => page.getByRole('button', { name, exact: true })
const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
const save = page.getByRole('button', { name: 'Save Changes' })
const sent = (id: string) =>
  network.requests(`/api/rbac/roles/${id}/permissions`).map(call => call.body as PermissionsInput)

test('a conflict merges both matrices, and the next save is based on theirs', async () => {
  const { server } = openRoles()
  const stale = core.texts().general.stale.text
  const all = { can_read: true, can_create: true, can_update: true, can_delete: true }
  const present = role('Sales', {
    description: 'Sells more',
    permissions: matrix(noPermissions, all, noPermissions),
    version: 5,
  })
  network.on('POST /api/rbac/roles/sales/permissions', ({ body }) => {
    server.roles = server.roles.map(one => (one.role_id === 'sales' ? present : one))
    if ((body as PermissionsInput).version !== 5) return errorResponse(409, stale, { data: present })
    return { body: { success: true, message: '', data: { ...present, version: 6 } } }
  })
  await row('Sales').click()
  await box('Edit Imports').click()
  await save.click()
  const said = page.getByRole('alert')
  await expect.element(said).toHaveTextContent(stale)
  const theirs = page.getByRole('list', { name: 'Changed meanwhile' })
  await expect.element(theirs).toHaveTextContent(/View Customers: off.*View All contacts: on/)
  await expect.element(box('Edit Imports')).toBeChecked()
  await expect.element(box('View Imports')).toBeChecked()
  await expect.element(box('View Customers')).not.toBeChecked()
  await expect.element(box('Delete All contacts')).toBeChecked()
  // The other user's changes outside of the matrix, here the description, are shown in the role's row.
  await expect.element(page.getByText('Sells more')).toBeVisible()
  await save.click()
  await expect.element(page.getByText('Permissions updated successfully')).toBeVisible()
  expect(sent('sales').map(({ version }) => version)).toEqual([1, 5])
  const granted = storedPermissions(sent('sales')[1]?.permissions ?? [])
  const edits = { ...readPermission, can_update: true }
  expect([
    granted.customers?.permissions,
    granted.contacts?.subresources.map(part => part.permissions),
  ]).toEqual([noPermissions, [all, edits]])
})

test('a conflict names who changed the role', async () => {
  openRoles()
  const at = new Date().toISOString()
  const last_change = { at, actor: { kind: 'user', id: 'u2', name: 'Bo Ek' } }
  const permissions = matrix(noPermissions, noPermissions, noPermissions)
  network.on('POST /api/rbac/roles/sales/permissions', () =>
    errorResponse(409, core.texts().general.stale.text, {
      data: { ...role('Sales', { permissions, version: 5 }), last_change },
    }),
  )
  await row('Sales').click()
  await box('Edit Imports').click()
  await save.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent(/^Bo Ek changed this at .*review theirs/)
})

test('if another user has only renamed the role, the changes are saved without a question', async () => {
  openRoles()
  const present = role('Sales', { name: 'Selling', version: 5 })
  network.on('POST /api/rbac/roles/sales/permissions', ({ body }) =>
    (body as PermissionsInput).version === 5
      ? { body: { success: true, message: '', data: { ...present, version: 6 } } }
      : errorResponse(409, core.texts().general.stale.text, { data: present }),
  )
  await row('Sales').click()
  await box('Edit Imports').click()
  await save.click()
  await expect.element(page.getByText('Permissions updated successfully')).toBeVisible()
  expect(page.getByRole('alert').elements()).toHaveLength(0)
  const granted = sent('sales').map(({ version, permissions }) => [
    version,
    storedPermissions(permissions ?? []).contacts?.subresources.map(part => part.permissions),
  ])
  const expected = [noPermissions, { ...readPermission, can_update: true }]
  expect(granted).toEqual([
    [1, expected],
    [5, expected],
  ])
})

test('a role that grants more than the user may is shown as it is stored, and the changes can be discarded', async () => {
  const { server } = openRoles()
  const all = { can_read: true, can_create: true, can_update: true, can_delete: true }
  const permissions = matrix(readPermission, all, noPermissions)
  const present = role('Sales', { permissions, version: 5, can_update: false })
  network.on('POST /api/rbac/roles/sales/permissions', () => {
    server.roles = [present]
    return errorResponse(409, core.texts().general.stale.text, { data: present })
  })
  await row('Sales').click()
  await box('Edit Imports').click()
  await save.click()
  await expect.element(page.getByText(/You can't change this role any more/)).toBeVisible()
  await expect.element(box('Edit Imports')).not.toBeChecked()
  await expect.element(box('Delete All contacts')).toBeChecked()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(page.getByText(/You can't change this role any more/)).not.toBeInTheDocument()
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  await expect.element(row('Sales')).toHaveFocus()
})

test('when a module is no longer included, its row disappears and the other changes can be saved', async () => {
  const { server } = openRoles()
  const accept = (body: unknown) => {
    const stored = storedPermissions((body as PermissionsInput).permissions ?? [])
    return { body: { success: true, message: '', data: role('Sales', { permissions: stored, version: 2 }) } }
  }
  network.on('POST /api/rbac/roles/sales/permissions', ({ body }) => {
    const ids = (body as PermissionsInput).permissions?.map(({ resource_id }) => resource_id) ?? []
    if (!ids.includes('customers')) return accept(body)
    const { contacts } = role('Sales').permissions
    server.roles = [role('Sales', { permissions: contacts ? { contacts } : {} })]
    return errorResponse(400, "This resource isn't included for your corporation")
  })
  await row('Sales').click()
  await box('Edit Customers').click()
  await box('Edit Imports').click()
  await save.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent(/isn't included/)
  await expect.element(box('Edit Customers')).not.toBeInTheDocument()
  await expect.element(box('Edit Imports')).toBeChecked()
  await save.click()
  await expect.element(page.getByText('Permissions updated successfully')).toBeVisible()
})

test('when the only changed module is no longer included, nothing is left to save', async () => {
  const { server } = openRoles()
  network.on('POST /api/rbac/roles/sales/permissions', () => {
    const { contacts } = role('Sales').permissions
    server.roles = [role('Sales', { permissions: contacts ? { contacts } : {} })]
    return errorResponse(400, "This resource isn't included for your corporation")
  })
  await row('Sales').click()
  await box('Edit Customers').click()
  await save.click()
  await expect.element(box('Edit Customers')).not.toBeInTheDocument()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await expect.element(page.getByRole('alert')).toHaveTextContent(/isn't included/)
  await expect.element(page.getByText('You have unsaved changes.')).not.toBeInTheDocument()
  // No question is asked.
  await row('Sales').click()
  await expect.poll(() => page.getByRole('table').elements()).toHaveLength(0)
})

test('when two users rename a role, both names are shown to choose from', async () => {
  openRoles()
  const present = role('Selling', { role_id: 'sales', version: 3 })
  network.on('PUT /api/rbac/roles/sales', ({ body }) =>
    (body as { version: number }).version === 3
      ? { body: { success: true, message: '', data: present } }
      : errorResponse(409, core.texts().general.stale.text, { data: present }),
  )
  await page.getByRole('button', { name: 'Rename Sales' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Seller')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('radio', { name: 'Yours Seller' })).toBeChecked()
  await page.getByRole('radio', { name: 'Theirs Selling' }).click()
  await expect.element(name).toHaveValue('Selling')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('Role updated successfully')).toBeVisible()
  expect(
    network.requests('/api/rbac/roles/sales').map(({ body }) => (body as { version: number }).version),
  ).toEqual([1, 3])
})

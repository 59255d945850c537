import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core, type PermissionsInput } from '~/core'
import { drafts } from '~/lib/drafts'
import { disconnect } from '~/test/connection'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, open } from '~/test/open'
import { allPermissions, noPermissions, readPermission, signInForAdministration } from '~/test/rights'
import { matrix, openRoles, role, serveRoles, storedPermissions } from '~/test/roles'

const row = (name: string) => page.getByRole('button', { name, exact: true })
const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
const save = page.getByRole('button', { name: 'Save Changes' })
const sent = (id: string) =>
  network.requests(`/api/rbac/roles/${id}/permissions`).map(call => call.body as PermissionsInput)
const isMixed = (name: string) => (box(name).element() as HTMLInputElement).indeterminate

test('one role at a time is expanded, and a second click collapses it', async () => {
  openRoles()
  await row('Sales').click()
  await expect.element(page.getByRole('table', { name: 'Permissions of Sales' })).toBeVisible()
  await row('Reception').click()
  await expect.element(page.getByRole('table', { name: 'Permissions of Reception' })).toBeVisible()
  expect(page.getByRole('table').elements()).toHaveLength(1)
  await expect.element(row('Sales')).toHaveAttribute('aria-expanded', 'false')
  await row('Reception').click()
  await expect.poll(() => page.getByRole('table').elements()).toHaveLength(0)
})

test('a row shows description and number of resources', async () => {
  openRoles(role('Sales', { permissionsCount: 3, usersCount: 1 }))
  await expect.element(page.getByText('Sales at the desk')).toBeVisible()
  await expect.element(page.getByText('3 resources · 1 user')).toBeVisible()
})

test('Back without a connection shows the roles of before', async () => {
  const { go, visit } = openRoles()
  await expect.element(row('Sales')).toBeVisible()
  await visit('/dashboard/nothing')
  disconnect('GET /api/rbac/roles')
  await go(-1)
  await expect.element(row('Sales')).toBeVisible()
  const list = page.getByRole('list', { name: 'Roles', exact: true })
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
})

test('subresources are shown below their resource and can be collapsed', async () => {
  openRoles()
  await row('Sales').click()
  const names = () =>
    [...document.querySelectorAll('tbody th span.block.font-medium')].map(name => name.textContent)
  await expect.poll(names).toEqual(['Customers', 'Contacts', 'All contacts', 'Imports'])
  const toggle = page.getByRole('button', { name: 'Collapse Contacts' })
  await expect.element(toggle).toHaveAttribute('aria-expanded', 'true')
  await toggle.click()
  await expect.poll(names).toEqual(['Customers', 'Contacts'])
  await page.getByRole('button', { name: 'Expand Contacts' }).click()
  await expect.poll(names).toHaveLength(4)
})

test('Save is enabled only with unsaved changes', async () => {
  openRoles()
  await row('Sales').click()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await box('View Imports').click()
  await expect.element(save).not.toHaveAttribute('aria-disabled')
  await box('View Imports').click()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await save.click({ force: true })
  expect(sent('sales')).toHaveLength(0)
})

test('saving sends the whole matrix and its version', async () => {
  openRoles(role('Sales', { version: 7 }))
  await row('Sales').click()
  await box('Edit Imports').click()
  await save.click()
  await expect.element(page.getByText('Permissions updated successfully')).toBeVisible()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  const [body] = sent('sales')
  expect(body?.version).toBe(7)
  const imports = { ...readPermission, can_update: true }
  expect(body?.permissions).toEqual([
    { resource_id: 'customers', route: '/dashboard/customers', ...readPermission, subresources: [] },
    {
      resource_id: 'contacts',
      route: '/dashboard/contacts',
      ...noPermissions,
      subresources: [
        { resource_id: 'contacts.list', route: '/dashboard/contacts', ...noPermissions, subresources: [] },
        {
          resource_id: 'contacts.imports',
          route: '/dashboard/contacts/imports',
          ...imports,
          subresources: [],
        },
      ],
    },
  ])
  await expect.element(box('Edit Imports')).toBeChecked()
})

test('changes made while saving stay unsaved', async () => {
  openRoles()
  const release = delayResponse('POST /api/rbac/roles/sales/permissions', ({ body }) => {
    const permissions = storedPermissions((body as PermissionsInput).permissions ?? [])
    return { body: { success: true, message: '', data: role('Sales', { permissions, version: 2 }) } }
  })
  await row('Sales').click()
  await box('View Imports').click()
  await save.click()
  await box('View All contacts').click()
  release()
  await expect.element(page.getByText('Permissions updated successfully')).toBeVisible()
  await expect.element(box('View All contacts')).toBeChecked()
  await expect.element(page.getByText('You have unsaved changes.')).toBeVisible()
})

test.each([
  ['closing the role', () => row('Sales').click()],
  ['opening another', () => row('Reception').click()],
  ['leaving the page', () => page.getByRole('link', { name: 'Forecourt' }).click()],
])('%s asks for confirmation before unsaved changes are discarded', async (_, leave) => {
  openRoles()
  await row('Sales').click()
  await box('View Imports').click()
  await leave()
  await expect.element(page.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(box('View Imports')).toBeChecked()
  await leave()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect
    .poll(() => page.getByRole('table', { name: 'Permissions of Sales' }).elements())
    .toHaveLength(0)
  expect(sent('sales')).toHaveLength(0)
})

test('closing the tab asks for confirmation only if there are unsaved changes', async () => {
  openRoles()
  const isAsked = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await row('Sales').click()
  expect(isAsked()).toBe(false)
  await box('View Imports').click()
  await expect.poll(isAsked).toBe(true)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(box('View Imports')).not.toBeChecked()
  expect(isAsked()).toBe(false)
})

test('after changes were discarded, the focus is on the role, which is in view', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1280, 320)
  openRoles()
  await row('Sales').click()
  await box('View Imports').click()
  scrollTo(0, document.documentElement.scrollHeight)
  await expect.element(row('Sales')).not.toBeInViewport()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  await expect.element(row('Sales')).toHaveFocus()
  await expect.element(row('Sales')).toBeInViewport()
})

test('unsaved changes survive a failed reload and a rename', async () => {
  const { server } = openRoles()
  network.on('PUT /api/rbac/roles/sales', ({ body }) => {
    const data = role('Sales', { ...(body as object), role_id: 'sales', version: 2 })
    server.roles = [data]
    return { body: { success: true, message: '', data } }
  })
  await row('Sales').click()
  await box('View Imports').click()
  await page.getByRole('button', { name: 'Rename Sales' }).click()
  const list = () => ({ body: { success: true, data: server.roles } })
  network.on('GET /api/rbac/roles', () => errorResponse(503, 'The server is busy.'))
  await page.getByRole('textbox', { name: 'Name' }).fill('Selling')
  await userEvent.keyboard('{Enter}')
  await expectAlert('The server is busy.')
  network.on('GET /api/rbac/roles', list)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(row('Selling')).toBeVisible()
  await expect.element(box('View Imports')).toBeChecked()
  await save.click()
  await expect.poll(() => sent('sales')).toHaveLength(1)
  expect(sent('sales')[0]?.version).toBe(2)
})

test('unsaved changes are restored after a reload, in the new language', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  const saved = core
    .roleMatrix(role('Sales'))
    .map(one => ({ ...one, title: 'Kunder', description: 'Om dem' }))
  const matrix = core.setPermission(saved, 'contacts.imports', 'read', true)
  drafts.save('matrix', { roleId: 'sales', version: 1, saved, matrix, theirs: [] })
  openRoles()
  await expect.element(box('View Imports')).toBeChecked()
  await expect.element(box('View Customers')).toBeChecked()
  await expect.element(page.getByText('About Customers')).toBeVisible()
  expect(page.getByText('Kunder').elements()).toHaveLength(0)
  await save.click()
  await expect.poll(() => sent('sales')).toHaveLength(1)
  await expect.poll(() => drafts.read('matrix')).toBeUndefined()
})

test('an empty form shows an error at each field and a toast', async () => {
  openRoles()
  await page.getByRole('button', { name: 'Create Role' }).click()
  await page.getByRole('button', { name: 'Create role', exact: true }).click()
  const sentence = page.getByText('Please fill in all required fields')
  await expect.poll(() => sentence.elements()).toHaveLength(3)
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
})

test('a new role is expanded, and a duplicate name is reported', async () => {
  const { server } = openRoles()
  network.on('POST /api/rbac/roles', ({ body }) => {
    const { name } = body as { name: string }
    if (name === 'Sales') {
      const taken = 'A role with this name already exists'
      return errorResponse(409, taken, { fields: { name: [taken] } })
    }
    const data = role(name, {
      permissions: matrix(noPermissions, noPermissions, noPermissions),
      permissionsCount: 0,
    })
    server.roles = [...server.roles, data]
    return { status: 201, body: { success: true, message: '', data } }
  })
  await page.getByRole('button', { name: 'Create Role' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Sales')
  await page.getByRole('textbox', { name: 'Description' }).fill('Looks after the yard')
  await page.getByRole('button', { name: 'Create role', exact: true }).click()
  await expect.element(page.getByText('A role with this name already exists')).toBeVisible()
  await expect.element(name).toHaveFocus()
  await name.fill('Yard')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Role created successfully').first()).toBeVisible()
  await expect.element(page.getByRole('table', { name: 'Permissions of Yard' })).toBeVisible()
})

test("a role with users can't be deleted, and the dialog says why", async () => {
  openRoles(role('Sales', { usersCount: 2 }))
  await page.getByRole('button', { name: 'Delete Sales' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete role' })
  await expect.element(dialog.getByText('2 users have this role. Give them another one first.')).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Delete role' }).elements()).toHaveLength(0)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => dialog.elements()).toHaveLength(0)
})

test('a rejected deletion shows why, and can be tried again', async () => {
  const { server } = openRoles(role('Reception'), role('Sales', { usersCount: 0 }))
  const why = 'One user has this role. Give them another one first.'
  network.on('DELETE /api/rbac/roles/sales', () => errorResponse(409, why))
  await page.getByRole('button', { name: 'Delete Sales' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete role' })
  await expect.element(dialog.getByText('Sales', { exact: true })).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await dialog.getByRole('button', { name: 'Delete role' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(why)
  network.on('DELETE /api/rbac/roles/sales', () => {
    server.roles = server.roles.slice(0, 1)
    return { body: { success: true, message: 'Role deleted successfully' } }
  })
  await dialog.getByRole('button', { name: 'Delete role' }).click()
  await expect.element(page.getByText('Role deleted successfully')).toBeVisible()
  await expect.poll(() => row('Sales').elements()).toHaveLength(0)
  await expect.element(page.getByRole('button', { name: 'Delete Reception' })).toHaveFocus()
})

test('a search by name or description is in the URL and can be cleared', async () => {
  const app = openRoles(role('Réception', { description: 'Greets' }), role('Sales', { description: 'Sells' }))
  // The shortcut works while a checkbox has the focus, because a checkbox takes no text.
  await row('Sales').click()
  box('View Customers').element().focus()
  await userEvent.keyboard('/')
  await expect.element(page.getByRole('searchbox', { name: 'Search roles' })).toHaveFocus()
  await userEvent.keyboard('recep')
  await expect.poll(app.address).toBe('/dashboard/roles?search=recep')
  await expect.poll(() => row('Sales').elements()).toHaveLength(0)
  await expect.element(row('Réception')).toBeVisible()
  const status = page.getByRole('region', { name: 'Roles', exact: true }).getByRole('status')
  const region = status.element()
  expect(region.textContent).toBe('1 role')
  await page.getByRole('searchbox').fill('zzz')
  await expect.element(status).toHaveTextContent('No roles found matching your search')
  expect(status.element()).toBe(region)
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect.element(row('Sales')).toBeVisible()
})

test('without write permissions the matrix is read-only', async () => {
  signInForAdministration({ roles: readPermission })
  serveRoles(role('Sales'))
  open('/dashboard/roles')
  await row('Sales').click()
  await expect.element(box('View Customers')).toBeDisabled()
  await expect.element(box('View Customers')).toBeChecked()
  for (const name of [/Save/, /Create/, /Rename/, /^Delete/]) {
    expect(page.getByRole('button', { name }).elements()).toHaveLength(0)
  }
})

test('a role that the user may not change is read-only, and the others are not', async () => {
  openRoles(role('Sales'), role('Manager', { can_update: false }))
  await row('Manager').click()
  await expect.element(box('View Customers')).toBeDisabled()
  const names = ['Rename Manager', 'Delete Manager', 'Rename Sales', 'Delete Sales']
  expect(names.map(name => page.getByRole('button', { name }).elements().length)).toEqual([0, 0, 1, 1])
})

test('only what the user may grant can be granted', async () => {
  const permissions = matrix(noPermissions, noPermissions, noPermissions)
  const { customers } = permissions
  openRoles(
    role('Sales', {
      permissions: {
        ...permissions,
        ...(customers && { customers: { ...customers, grantable: readPermission } }),
      },
    }),
  )
  await row('Sales').click()
  await expect.element(box('View Customers')).toBeEnabled()
  await expect.element(box('Delete Customers')).toBeDisabled()
  await expect.element(box('Delete Contacts')).toBeEnabled()
})

test('an empty list offers to create the first role', async () => {
  signInForAdministration({ roles: allPermissions })
  const release = delayResponse('GET /api/rbac/roles', () => ({ body: { success: true, data: [] } }))
  open('/dashboard/roles')
  await expect.element(page.getByRole('main').getByText('Loading')).toBeInTheDocument()
  release()
  await expect.element(page.getByText('No roles yet')).toBeVisible()
  await page.getByRole('button', { name: 'Create the first role' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Create Role' })).toBeVisible()
})

test('at phone width the matrix is groups of labelled checkboxes', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  openRoles()
  await row('Sales').click()
  await expect.element(page.getByRole('list', { name: 'Permissions of Sales' })).toBeVisible()
  expect(page.getByRole('table').elements()).toHaveLength(0)
  await page.getByText('Add', { exact: true }).nth(3).click()
  await expect.element(box('Add Imports')).toBeChecked()
  expect(isMixed('View Contacts')).toBe(true)
})

test('at phone width Save is in view while there are unsaved changes', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  openRoles()
  await row('Sales').click()
  await expect.element(box('View Customers')).toBeVisible()
  scrollTo(0, 0)
  await expect.element(save).not.toBeInViewport()
  await box('View Customers').click()
  scrollTo(0, 0)
  const tabs = page.getByRole('navigation', { name: 'Tabs' }).element().getBoundingClientRect()
  await expect.poll(() => save.element().getBoundingClientRect().bottom).toBeLessThan(tabs.top)
  await box('View Customers').click()
  scrollTo(0, 0)
  await expect.element(save).not.toBeInViewport()
})

test('at phone width a failed save shows the error beside Save, without scrolling the page', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  openRoles()
  network.on('POST /api/rbac/roles/sales/permissions', () => errorResponse(503, 'The server is busy.'))
  await row('Sales').click()
  await box('View Customers').click()
  scrollTo(0, 0)
  // Not by a click of the pointer, before which Playwright would scroll.
  ;(save.element() as HTMLElement).click()
  await expectAlert('The server is busy.')
  await expect.element(page.getByRole('alert')).toBeInViewport({ ratio: 1 })
  expect(scrollY).toBe(0)
  const tabs = page.getByRole('navigation', { name: 'Tabs' }).element().getBoundingClientRect()
  expect(save.element().getBoundingClientRect().bottom).toBeLessThan(tabs.top)
})

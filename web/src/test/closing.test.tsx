import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core } from '~/core'
import { contact, serveContact, serveContactCount } from './contacts'
import { customer, customers, openCustomers } from './customers'
import { errorResponse, network } from './network'
import { open, signInUser } from './open'
import { allPermissions, signInForAdministration } from './rights'
import { openRoles, role } from './roles'

const sales = role('Sales')

const user = {
  user_id: 'u-2',
  first_name: 'Hugo',
  last_name: 'Berg',
  email: 'hugo@nordbil.example',
  mobile: '',
  permissionsCount: 0,
  user_type: 'User',
  role: sales,
  created_at: '2026-03-05T08:00:00Z',
  is_active: true,
  is_banned: false,
  can_update: true,
  can_delete: true,
  version: 1,
}

const body = (data: unknown) => ({ body: { success: true, data, totalItems: 1, totalPages: 1 } })

/** The edit forms: how to open each, which requests it sends, and the record as another user has changed it. */
const forms = [
  {
    what: 'a list of contacts',
    enter() {
      signInUser()
      serveContactCount(1)
      open('/dashboard/contacts')
    },
    edit: 'Edit Person 1',
    field: 'Phone',
    asks: '/api/contacts',
    saves: '/api/contacts/id-1',
    theirs: contact(1, { name: 'Theirs', version: 9 }),
  },
  {
    what: 'a contact',
    enter() {
      signInUser()
      serveContact()
      open('/dashboard/contacts/id-1')
    },
    edit: 'Edit',
    field: 'Phone',
    asks: '/api/contacts/id-1',
    saves: '/api/contacts/id-1',
    theirs: contact(1, { name: 'Theirs', version: 9 }),
  },
  {
    what: 'the customers',
    enter: () => openCustomers(customers(1)),
    edit: 'Edit Maja Holm 1',
    field: 'Address',
    asks: '/api/customers',
    saves: '/api/customers/c-1',
    theirs: customer(1, { name: 'Theirs', version: 9 }),
  },
  {
    what: 'the users',
    enter() {
      signInForAdministration({ users: allPermissions, roles: allPermissions })
      network.on('GET /api/users', () => body([user]))
      network.on('GET /api/rbac/roles', () => body([sales]))
      open('/dashboard/users')
    },
    edit: 'Edit Hugo Berg',
    field: 'Email',
    asks: '/api/users',
    saves: '/api/users/u-2',
    theirs: { ...user, first_name: 'Theirs', version: 9 },
  },
  {
    what: 'the roles',
    enter: () => openRoles(),
    edit: 'Rename Sales',
    field: 'Description',
    asks: '/api/rbac/roles',
    saves: '/api/rbac/roles/sales',
    theirs: role('Theirs', { role_id: 'sales', version: 9 }),
  },
]

const listRequests = (path: string) => network.requests(path).filter(({ method }) => method === 'GET').length

test.each(forms)('closing a form of $what without a conflict reloads nothing', async form => {
  form.enter()
  await page.getByRole('button', { name: form.edit, exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: form.field }).fill('1')
  const before = listRequests(form.asks)
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  expect(listRequests(form.asks)).toBe(before)
})

test.each(forms)('closing a form of $what after a conflict reloads the data once', async form => {
  form.enter()
  network.on(`PUT ${form.saves}`, () =>
    errorResponse(409, core.texts().general.stale.text, { data: form.theirs }),
  )
  await page.getByRole('button', { name: form.edit, exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: form.field }).fill('a@nordbil.example')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const conflict = page.getByRole('dialog').getByRole('region', { name: core.texts().general.stale.text })
  await expect.element(conflict).toBeVisible()
  const before = listRequests(form.asks)
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => listRequests(form.asks)).toBe(before + 1)
})

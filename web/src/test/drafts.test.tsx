import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { core } from '~/core'
import { changedValues, drafts } from '~/lib/drafts'
import { contact, serveContact } from './contacts'
import { company, customer, openCustomers, savedBodies } from './customers'
import { errorResponse, network } from './network'
import { open, signInUser } from './open'
import { openRoles } from './roles'
import { openUsers } from './users'

const KEY = 'contact id-1'
const CUSTOMER = 'customer '

beforeEach(() => signInUser())
afterEach(() => {
  for (const key of [KEY, CUSTOMER, `${CUSTOMER}c-1`]) drafts.forget(key)
})

/** Opens the edit form of a contact for which a draft is stored. */
async function openEditForm() {
  open('/dashboard/contacts/id-1')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
}

const phone = () => page.getByRole('dialog').getByLabelText('Phone')
const save = () => page.getByRole('button', { name: 'Save changes' }).click()

test('a draft of a record changed meanwhile leads to a conflict instead of overwriting', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save(KEY, { version: 1, typed: { phone: { value: '+46 70 1', base: '' } } })
  const { server } = serveContact({ version: 2, phone: '+46 70 2', address: 'Hamngatan 7' })
  network.on('PUT /api/contacts/id-1', ({ body }) => {
    const { version } = body as { version: number }
    return version === 2
      ? { body: { success: true, data: contact(1, { version: 3 }) } }
      : errorResponse(409, core.texts().general.stale.text, { data: server.contact })
  })
  await openEditForm()
  await expect.element(phone()).toHaveValue('+46 70 1')
  await expect.element(page.getByRole('dialog').getByLabelText('Address')).toHaveValue('Hamngatan 7')
  await save()
  const lastSavedBody = () =>
    network.requests('/api/contacts/id-1').findLast(({ method }) => method === 'PUT')?.body
  await expect.poll(lastSavedBody).toMatchObject({ version: 1, phone: '+46 70 1' })
  const told = page.getByRole('region', { name: core.texts().general.stale.text })
  await expect.element(told.getByRole('radio', { name: /Theirs \+46 70 2/ })).toBeVisible()
  await expect.element(phone()).toHaveValue('+46 70 1')
  // After a reload, the same change is no conflict.
  expect(drafts.read(KEY)).toMatchObject({ version: 2, typed: { phone: { base: '+46 70 2' } } })
})

test('a form whose restored input was typed back still detects a change made meanwhile', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save(KEY, { version: 1, typed: { phone: { value: '+46 70 1', base: '' } } })
  serveContact({ version: 2, phone: '+46 70 2', address: 'Hamngatan 7' })
  network.on('PUT /api/contacts/id-1', () => errorResponse(409, core.texts().general.stale.text))
  await openEditForm()
  await phone().fill('')
  await expect.element(page.getByRole('dialog').getByText('Draft restored.')).not.toBeInTheDocument()
  await phone().fill('+46 70 3')
  await save()
  await expect
    .poll(() => network.requests('/api/contacts/id-1').findLast(({ method }) => method === 'PUT')?.body)
    .toMatchObject({ version: 1, phone: '+46 70 3' })
})

test('the button that opens a form shows that it has a draft, until that is discarded', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save(KEY, { version: 1, typed: { phone: { value: '+46 70 1', base: '' } } })
  serveContact()
  open('/dashboard/contacts/id-1')
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  await expect.element(edit).toHaveTextContent('Draft')
  await edit.click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Discard draft' }).click()
  await phone().fill('+46 70 3')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(edit).not.toHaveTextContent('Draft')
})

test.each([
  { button: 'Add User', key: 'user ', openPage: () => openUsers([]) },
  { button: 'Create Role', key: 'role ', openPage: () => openRoles() },
])('the button "$button" shows that its form has a draft', async ({ button, key, openPage }) => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save(key, { typed: { name: { value: 'Sales', base: '' } } })
  onTestFinished(() => drafts.forget(key))
  openPage()
  await expect.element(page.getByRole('button', { name: button })).toHaveTextContent('Draft')
})

test('discarding a restored draft keeps what was typed in other fields', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save(KEY, { version: 1, typed: { phone: { value: '+46 70 1', base: '' } } })
  serveContact({ version: 2, phone: '+46 70 2', address: 'Hamngatan 7' })
  await openEditForm()
  const form = page.getByRole('dialog')
  await form.getByLabelText('Address').fill('Storgatan 1')
  await form.getByRole('button', { name: 'Discard draft' }).click()
  await expect.element(phone()).toHaveValue('+46 70 2')
  await expect.element(form.getByLabelText('Address')).toHaveValue('Storgatan 1')
  await expect.element(form.getByText('Draft discarded.')).toBeInTheDocument()
  expect(drafts.read(KEY)).toMatchObject({ version: 2, typed: { address: { base: 'Hamngatan 7' } } })
})

test("another user's draft is not restored", async () => {
  sessionStorage.setItem('draftsOf', 'u2')
  drafts.save(KEY, { version: 1, typed: { phone: { value: '+46 70 1', base: '' } } })
  serveContact({ phone: '+46 70 2' })
  await openEditForm()
  await expect.element(phone()).toHaveValue('+46 70 2')
  expect(drafts.read(KEY)).toBeUndefined()
})

test('restores the organization number of a new company from the draft', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  const typed = {
    type: { value: 'Company', base: '' },
    organizationNumber: { value: '559360-9844', base: '' },
  }
  drafts.save(CUSTOMER, { typed })
  openCustomers([])
  const create = page.getByRole('button', { name: 'New Customer' })
  await expect.element(create).toHaveTextContent('Draft')
  await create.click()
  await expect.element(page.getByRole('textbox', { name: 'Organization Number' })).toHaveValue('559360-9844')
  await page.getByRole('textbox', { name: 'Name' }).fill('Bil AB')
  expect(drafts.read(CUSTOMER)?.typed).toEqual({ ...typed, name: { value: 'Bil AB', base: '' } })
})

test('a restored draft that changes a person to a company saves no social security number', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  const typed = {
    type: { value: 'Company', base: 'Private' },
    organizationNumber: { value: '559360-9844', base: '' },
  }
  drafts.save(`${CUSTOMER}c-1`, { version: 4, typed })
  openCustomers([customer(1)])
  network.on('PUT /api/customers/c-1', () => ({ body: { success: true, message: '', data: company(1) } }))
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Organization Number' })).toHaveValue('559360-9844')
  await save()
  const change = () => savedBodies('PUT', '/api/customers/c-1')[0]
  await expect.poll(change).toMatchObject({ type: 'Company', organizationNumber: '559360-9844' })
  expect(change()).not.toHaveProperty('socialSecurityNumber')
})

test('discarding a restored draft brings back the record, and saves with its version', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save(KEY, { version: 1, typed: { phone: { value: '+46 70 1', base: '' } } })
  serveContact({ version: 2, phone: '+46 70 2', address: 'Hamngatan 7' })
  network.on('PUT /api/contacts/id-1', () => ({ body: { success: true, data: contact(1, { version: 3 }) } }))
  await openEditForm()
  const form = page.getByRole('dialog')
  await expect.element(form.getByText('Draft restored.')).toBeVisible()
  await form.getByRole('button', { name: 'Discard draft' }).click()
  await expect.element(phone()).toHaveValue('+46 70 2')
  await expect.element(form.getByText('Draft restored.')).not.toBeInTheDocument()
  expect(drafts.read(KEY)).toBeUndefined()
  await form.getByLabelText('Address').fill('Storgatan 1')
  await save()
  await expect
    .poll(() => network.requests('/api/contacts/id-1').findLast(({ method }) => method === 'PUT')?.body)
    .toMatchObject({ version: 2, phone: '+46 70 2', address: 'Storgatan 1' })
})

test('a draft contains the changed fields without secrets', () => {
  const base = { name: 'A', password: '', admin: { email: '', password: '' }, ids: ['1'] }
  const values = { name: 'B', password: 'x', admin: { email: 'a@b', password: 'y' }, ids: ['1', '2'] }
  expect(changedValues(values, base)).toEqual({
    name: { value: 'B', base: 'A' },
    'admin.email': { value: 'a@b', base: '' },
    ids: { value: ['1', '2'], base: ['1'] },
  })
  expect(changedValues(base, base)).toEqual({})
})

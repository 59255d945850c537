import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Customer, type CustomerInput, core } from '~/core'
import { company, customer, customers, listRequests, openCustomers, savedBodies } from '~/test/customers'
import { errorResponse, network } from '~/test/network'
import { findDeletionQuestion } from '~/test/open'

const field = (name: string) => page.getByRole('textbox', { name })
const choice = (name: string) => page.getByRole('combobox', { name })
const adding = page.getByRole('dialog', { name: 'Add New Customer' })
const editing = page.getByRole('dialog', { name: 'Edit Customer' })
const create = page.getByRole('button', { name: 'Create customer' })
const save = page.getByRole('button', { name: 'Save changes' })
const formInvalidToast = page.getByText('Please fill in all required fields correctly')
const showing = (text: string) =>
  page.getByText(`Showing ${text} ${text.endsWith(' of 1') ? 'item' : 'items'}`, { exact: true })

afterEach(() => page.viewport(1280, 800))

async function choose(select: string, value: string) {
  await choice(select).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

async function fillMaja() {
  await field('Name').fill('Maja Holm')
  await field('Email').fill('maja@mail.example')
  await field('Telephone').fill('070')
  await field('Address').fill('Storgatan 1')
}

const saved = (data: Customer, status = 200) => ({ status, body: { success: true, message: '', data } })

test('an empty form shows an error at each field and sends nothing', async () => {
  openCustomers([])
  await page.getByRole('button', { name: 'New Customer' }).click()
  await create.click()
  await expect.element(formInvalidToast).toBeVisible()
  for (const sentence of [
    'Name is required.',
    'Email is required.',
    'Telephone is required.',
    'Address is required.',
    'Type is required.',
    'Social security number is required.',
  ]) {
    await expect.element(adding.getByText(sentence)).toBeVisible()
  }
  await expect.element(field('Name')).toHaveFocus()
  await field('Email').fill('maja')
  await expect.element(adding.getByText('Invalid email address.')).toBeVisible()
  expect(savedBodies('POST')).toHaveLength(0)
})

test('a new private person is sent without an empty postal code or location', async () => {
  const { server } = openCustomers([])
  network.on('POST /api/customers', ({ body }) => {
    server.records = [customer(1, body as CustomerInput as Partial<Customer>)]
    return saved(customer(1), 201)
  })
  await page.getByRole('button', { name: 'New Customer' }).click()
  await fillMaja()
  await choose('Customer Type', 'Private person')
  await field('Social Security Number').fill('19850312-4471')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Customer created successfully').first()).toBeVisible()
  await expect.element(showing('1 to 1 of 1')).toBeVisible()
  await expect.element(adding).not.toBeInTheDocument()
  expect(savedBodies('POST')).toEqual([
    {
      name: 'Maja Holm',
      email: 'maja@mail.example',
      telephone: '070',
      address: 'Storgatan 1',
      type: 'Private',
      socialSecurityNumber: '19850312-4471',
      organizationNumber: '',
      status: 'Active',
      agreementType: '',
      latestPurchase: '',
    },
  ])
})

test('optional fields are sent if filled in', async () => {
  openCustomers([])
  network.on('POST /api/customers', () => saved(customer(1), 201))
  await page.getByRole('button', { name: 'New Customer' }).click()
  await fillMaja()
  await choose('Customer Type', 'Client')
  await field('Social Security Number').fill('1')
  await field('Postal Code').fill('211 34')
  await field('Location').fill('Malmö')
  await choose('Status', 'Inactive')
  await choose('Agreement', 'Purchase')
  await page.getByLabelText('Latest purchase').fill('2026-11-02')
  await create.click()
  await expect.poll(() => savedBodies('POST')).toHaveLength(1)
  expect(savedBodies('POST')[0]).toMatchObject({
    type: 'Client',
    postalCode: '211 34',
    location: 'Malmö',
    status: 'Inactive',
    agreementType: 'Purchase',
    latestPurchase: '2026-11-02',
  })
})

test.each(['Company', 'Business'])(
  'the type %s requires an organization number and clears the other',
  async type => {
    openCustomers([])
    await page.getByRole('button', { name: 'New Customer' }).click()
    await choose('Customer Type', 'Agency')
    await field('Social Security Number').fill('19850312-4471')
    await choose('Customer Type', type)
    await expect.element(field('Social Security Number')).not.toBeInTheDocument()
    await field('Organization Number').fill('559360-9845')
    await expect.element(adding.getByText('check digit')).toBeVisible()
    await choose('Customer Type', 'Private person')
    await expect.element(field('Organization Number')).not.toBeInTheDocument()
    await expect.element(field('Social Security Number')).toHaveValue('')
  },
)

test('after an invalid submit, changing the type validates its number', async () => {
  openCustomers([])
  await page.getByRole('button', { name: 'New Customer' }).click()
  await create.click()
  await expect.element(adding.getByText('Social security number is required.')).toBeVisible()
  await choose('Customer Type', 'Company')
  await expect.element(adding.getByText('Organization number is required.')).toBeVisible()
  await expect.element(adding.getByText('Type is required.')).not.toBeInTheDocument()
})

test('an error of the server is shown at its field or above the form', async () => {
  openCustomers([])
  await page.getByRole('button', { name: 'New Customer' }).click()
  await fillMaja()
  await choose('Customer Type', 'Private person')
  await field('Social Security Number').fill('1')
  const why = 'Another customer has this number.'
  network.on('POST /api/customers', () =>
    errorResponse(409, why, { fields: { socialSecurityNumber: [why] } }),
  )
  await create.click()
  await expect.element(adding.getByText(why)).toBeVisible()
  await expect.element(field('Social Security Number')).toHaveFocus()
  network.on('POST /api/customers', () => errorResponse(500, ''))
  await create.click()
  await expect.element(adding.getByRole('alert')).toHaveTextContent('Failed to create customer')
  await expect.element(field('Name')).toHaveValue('Maja Holm')
})

test('the form shows values that follow from agreements as fixed', async () => {
  openCustomers([customer(1, { hasFigures: true })])
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  await expect.element(choice('Agreement')).toBeDisabled()
  await expect.element(page.getByLabelText('Latest purchase')).toBeDisabled()
  await expect.element(choice('Status')).toBeEnabled()
  await field('Name').fill('Maja Berg')
  await save.click()
  await expect
    .poll(() => savedBodies('PUT', '/api/customers/c-1')[0])
    .toMatchObject({ agreementType: 'Sales', latestPurchase: '2026-02-19' })
})

test('the expanded row opens the edit form, which sends the version', async () => {
  const { server } = openCustomers([company(1)])
  network.on('PUT /api/customers/c-1', ({ body }) => {
    server.records = [company(1, body as CustomerInput as Partial<Customer>)]
    return saved(company(1))
  })
  await page.getByRole('button', { name: 'Details of Bil 1 AB', exact: true }).click()
  await page.getByRole('button', { name: 'Edit Customer' }).click()
  await expect.element(editing).toBeVisible()
  await expect.element(field('Organization Number')).toHaveValue('559360-9844')
  await expect.element(choice('Customer Type')).toHaveTextContent('Company')
  await expect.element(choice('Agreement')).toHaveTextContent('Sales')
  await expect.element(page.getByLabelText('Latest purchase')).toHaveValue('2026-02-19')
  await choose('Agreement', 'None')
  await field('Name').fill('Bil AB')
  const before = listRequests().length
  await save.click()
  await expect.element(page.getByText('Customer updated successfully').first()).toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Details of Bil AB', exact: true }))
    .toHaveAttribute('aria-expanded', 'true')
  expect(listRequests()).toHaveLength(before + 1)
  expect(savedBodies('PUT', '/api/customers/c-1')[0]).toMatchObject({
    name: 'Bil AB',
    agreementType: '',
    version: 4,
  })
})

test('a form that is opened again is empty', async () => {
  openCustomers([])
  await page.getByRole('button', { name: 'New Customer' }).click()
  await field('Name').fill('Maja')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(adding).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'New Customer' }).click()
  await expect.element(field('Name')).toHaveValue('')
})

test('a conflict shows both versions to choose from', async () => {
  openCustomers(customers(1))
  const present = customer(1, { name: 'Maja Ek', telephone: '08', version: 5 })
  network.on('PUT /api/customers/c-1', () =>
    errorResponse(409, core.texts().general.stale.text, { data: present }),
  )
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  await field('Name').fill('Maja Lund')
  await field('Address').fill('Hamngatan 2')
  await save.click()
  await expect.element(editing.getByRole('region', { name: /^Someone else has changed this/ })).toBeVisible()
  await expect.element(field('Name')).toHaveValue('Maja Lund')
  await expect.element(field('Address')).toHaveValue('Hamngatan 2')
  await expect.element(field('Telephone')).toHaveValue('08')
  await editing.getByRole('radio', { name: /Theirs.*Maja Ek/ }).click()
  await expect.element(field('Name')).toHaveValue('Maja Ek')
  network.on('PUT /api/customers/c-1', () => saved(present))
  await save.click()
  await expect.element(page.getByText('Customer updated successfully').first()).toBeVisible()
  expect(savedBodies('PUT', '/api/customers/c-1')[1]).toMatchObject({
    name: 'Maja Ek',
    telephone: '08',
    address: 'Hamngatan 2',
    version: 5,
  })
})

test('values that follow from agreements since a conflict are fixed and take the newer values', async () => {
  openCustomers(customers(1))
  const present = customer(1, { hasFigures: true, latestPurchase: '2026-03-01', version: 5 })
  network.on('PUT /api/customers/c-1', () =>
    errorResponse(409, core.texts().general.stale.text, { data: present }),
  )
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  await field('Name').fill('Maja Lund')
  await choose('Agreement', 'None')
  await page.getByLabelText('Latest purchase').fill('2026-03-02')
  await save.click()
  await expect.element(choice('Agreement')).toBeDisabled()
  await expect.element(choice('Agreement')).toHaveTextContent('Sales')
  await expect.element(page.getByLabelText('Latest purchase')).toBeDisabled()
  await expect.element(page.getByLabelText('Latest purchase')).toHaveValue('2026-03-01')
  await expect.element(editing.getByText('2026-03-02', { exact: true })).toBeVisible()
  await expect.element(editing.getByText('Now: 2026-03-01')).toBeVisible()
  expect(editing.getByRole('radio').elements()).toHaveLength(0)
  network.on('PUT /api/customers/c-1', () => saved(present))
  await save.click()
  await expect
    .poll(() => savedBodies('PUT', '/api/customers/c-1')[1])
    .toMatchObject({ name: 'Maja Lund', agreementType: 'Sales', latestPurchase: '2026-03-01', version: 5 })
})

test('a value that is fixed since a second conflict offers no choice', async () => {
  openCustomers(customers(1))
  const refuse = (present: Customer) =>
    network.on('PUT /api/customers/c-1', () =>
      errorResponse(409, core.texts().general.stale.text, { data: present }),
    )
  refuse(customer(1, { latestPurchase: '2026-03-01', version: 5 }))
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  await page.getByLabelText('Latest purchase').fill('2026-03-02')
  await save.click()
  await editing.getByRole('radio', { name: /^Theirs/ }).click()
  refuse(customer(1, { hasFigures: true, latestPurchase: '2026-03-03', version: 6 }))
  await save.click()
  await expect.element(page.getByLabelText('Latest purchase')).toBeDisabled()
  await expect.element(page.getByLabelText('Latest purchase')).toHaveValue('2026-03-03')
  expect(editing.getByRole('radio').elements()).toHaveLength(0)
})

test.each([
  [new Date(), 'u1', /^You changed this at \d+:\d\d [AP]M, perhaps in another tab\./],
  [new Date(), 'u2', /^Ada Öberg changed this at \d+:\d\d [AP]M\. Your changes are not lost/],
  [
    new Date(2025, 0, 31, 14, 5),
    'u2',
    /^Ada Öberg changed this on Jan 31, 2025, 2:05 PM\. Your changes are not lost/,
  ],
])('a conflict says who changed the customer, and when (%s, %s)', async (at, id, sentence) => {
  openCustomers(customers(1))
  const last_change = { at: at.toISOString(), actor: { kind: 'user', id, name: 'Ada Öberg' } }
  const present = customer(1, { name: 'Maja Ek', version: 5 })
  network.on('PUT /api/customers/c-1', () =>
    errorResponse(409, core.texts().general.stale.text, { data: { ...present, last_change } }),
  )
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  await field('Name').fill('Maja Lund')
  await save.click()
  await expect.element(editing.getByRole('region', { name: sentence })).toBeVisible()
  await expect.element(field('Name')).toHaveValue('Maja Lund')
})

test('an incomplete date counts as empty in a conflict', async () => {
  openCustomers(customers(1))
  const present = customer(1, { latestPurchase: '2026-03-01', version: 5 })
  network.on('PUT /api/customers/c-1', () =>
    errorResponse(409, core.texts().general.stale.text, { data: present }),
  )
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  const day = page.getByLabelText('Latest purchase')
  await day.fill('2026-03-02')
  await save.click()
  await expect.element(editing.getByRole('radio', { name: /Yours.*2026-03-02/ })).toBeChecked()
  await day.fill('')
  await day.click()
  await userEvent.keyboard('12')
  await expect.element(editing.getByRole('radio', { name: /Yours.*empty/ })).toBeChecked()
})

test('deleting asks for confirmation, shows errors and collapses the row', async () => {
  const { server } = openCustomers(customers(2))
  network.on('DELETE /api/customers/c-1', () => errorResponse(503, ''))
  await page.getByRole('button', { name: 'Details of Maja Holm 2', exact: true }).click()
  await page.getByRole('button', { name: 'Delete Maja Holm 1' }).click()
  const { dialog, confirm } = await findDeletionQuestion('customer', 'Maja Holm 1')
  await confirm.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Failed to delete customer')
  network.on('DELETE /api/customers/c-1', () => {
    server.records = [customer(2)]
    return { body: { success: true, message: '' } }
  })
  await confirm.click()
  await expect.element(page.getByText('Customer deleted successfully').first()).toBeVisible()
  await expect.element(showing('1 to 1 of 1')).toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Details of Maja Holm 2', exact: true }))
    .toHaveAttribute('aria-expanded', 'false')
  await expect.element(page.getByRole('button', { name: 'Delete Maja Holm 2' })).toHaveFocus()
})

test('deleting the only row of the last page shows the previous page', async () => {
  const { server, address } = openCustomers(customers(16), {
    address: '/dashboard/customers?page=2&search=Maja&type=Private',
  })
  network.on('DELETE /api/customers/c-16', () => {
    server.records = customers(15)
    return { body: { success: true, message: '' } }
  })
  await page.getByRole('button', { name: 'Delete Maja Holm 16' }).click()
  await page.getByRole('button', { name: 'Delete customer' }).click()
  await expect.element(showing('1 to 15 of 15')).toBeVisible()
  await expect.poll(address).toBe('/dashboard/customers?search=Maja&type=Private')
})

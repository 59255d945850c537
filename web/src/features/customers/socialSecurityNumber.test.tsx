import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { company, customer, customers, openCustomers, savedBodies, summaryOf } from '~/test/customers'
import { delayResponse, errorMessages, errorResponse, network } from '~/test/network'

const RECORD = '/api/customers/c-1'
const NUMBER = '19850312-4471'
const toggle = (name: string) => page.getByRole('button', { name: `Details of ${name}`, exact: true })
const edit = page.getByRole('button', { name: 'Edit Maja Holm 1' })
const field = (name: string) => page.getByRole('textbox', { name })
const number = field('Social Security Number')
const save = page.getByRole('button', { name: 'Save changes' })
const updated = page.getByText('Customer updated successfully').first()
const again = page.getByRole('button', { name: 'Try Again' })
const record = { body: { success: true, data: customer(1) } }

const acceptUpdates = () =>
  network.on(`PUT ${RECORD}`, () => ({ body: { success: true, message: '', data: summaryOf(customer(1)) } }))

async function choose(select: string, value: string) {
  await page.getByRole('combobox', { name: select }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}

/** Opens the edit form of the only customer, and waits until the social security number has loaded. */
async function openEditForm() {
  openCustomers(customers(1))
  await edit.click()
  await expect.element(number).toHaveValue(NUMBER)
}

/** Saves the form, and checks that the request doesn't contain the social security number. */
async function saveWithoutNumber() {
  await save.click()
  await expect.element(updated).toBeVisible()
  expect(savedBodies('PUT', RECORD)[0]).not.toHaveProperty('socialSecurityNumber')
}

test('an expanded row shows the number once it has loaded', async () => {
  openCustomers(customers(1))
  const release = delayResponse(`GET ${RECORD}`, () => record)
  await toggle('Maja Holm 1').click()
  await expect.element(page.getByText('Customer Number')).toBeVisible()
  const panel = page.getByRole('definition').filter({ hasText: 'Loading' })
  await expect.element(panel).toBeVisible()
  const height = () => page.getByText('Social Security Number').element().parentElement?.clientHeight
  const before = height()
  release()
  await expect.element(page.getByText(NUMBER)).toBeVisible()
  expect(height()).toBe(before)
  expect(network.requests(RECORD)).toHaveLength(1)
})

test('collapsing a row aborts its request', async () => {
  openCustomers(customers(1))
  const release = delayResponse(`GET ${RECORD}`, () => record)
  await toggle('Maja Holm 1').click()
  await expect.poll(() => network.requests(RECORD)).toHaveLength(1)
  await toggle('Maja Holm 1').click()
  await expect.poll(() => network.requests(RECORD)[0]?.signal.aborted).toBe(true)
  release()
})

test.each(errorMessages('Failed to load customer details'))(
  'a failed request shows why (%j) and can be retried',
  async (message, shown) => {
    openCustomers(customers(1))
    network.on(`GET ${RECORD}`, () => errorResponse(503, message))
    await toggle('Maja Holm 1').click()
    await expect.element(page.getByRole('alert').filter({ hasText: shown })).toBeVisible()
    network.on(`GET ${RECORD}`, () => record)
    await again.click()
    await expect.element(page.getByText(NUMBER)).toBeVisible()
  },
)

test('an expanded row reports a lost connection', async () => {
  openCustomers(customers(1))
  network.on(`GET ${RECORD}`, () => {
    throw new TypeError('Failed to fetch')
  })
  await toggle('Maja Holm 1').click()
  await expect.element(page.getByRole('alert').filter({ hasText: /connection/i })).toBeVisible()
  await expect.element(page.getByText('maja1@mail.example').first()).toBeVisible()
})

test('no details are requested for a company', async () => {
  openCustomers([company(1)])
  await toggle('Bil 1 AB').click()
  await expect.element(page.getByText('559360-9844')).toBeVisible()
  await page.getByRole('button', { name: 'Edit Customer' }).click()
  await expect.element(field('Organization Number')).toHaveValue('559360-9844')
  expect(network.requests(RECORD)).toHaveLength(0)
})

test('the number loads into the open form, and typed input stays', async () => {
  openCustomers(customers(1))
  acceptUpdates()
  const release = delayResponse(`GET ${RECORD}`, () => record)
  await edit.click()
  await expect.element(field('Name')).toHaveValue('Maja Holm 1')
  await expect.element(field('Name')).toHaveFocus()
  await expect.element(number).toHaveAttribute('readonly')
  await field('Name').fill('Maja Ek')
  release()
  await expect.element(number).toHaveValue(NUMBER)
  await expect.element(number).not.toHaveAttribute('readonly')
  await expect.element(field('Name')).toHaveValue('Maja Ek')
  await expect.element(field('Name')).toHaveFocus()
  await save.click()
  await expect.element(updated).toBeVisible()
  const [change] = savedBodies('PUT', RECORD)
  expect(change).toMatchObject({ name: 'Maja Ek', version: 4 })
  expect(change).not.toHaveProperty('socialSecurityNumber')
})

test('an untouched edit form with a loaded social security number closes without confirmation', async () => {
  await openEditForm()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('a changed social security number is sent, and an empty one is invalid', async () => {
  acceptUpdates()
  await openEditForm()
  await number.fill('')
  await save.click()
  await expect.element(page.getByText('Social security number is required.')).toBeVisible()
  await number.fill('19900101-0017')
  await save.click()
  await expect.element(updated).toBeVisible()
  expect(savedBodies('PUT', RECORD)).toMatchObject([{ socialSecurityNumber: '19900101-0017' }])
})

test('a social security number that failed to load is kept or can be loaded again', async () => {
  openCustomers(customers(1))
  acceptUpdates()
  network.on(`GET ${RECORD}`, () => errorResponse(503, 'The server is busy.'))
  await edit.click()
  await expect.element(number).toHaveAccessibleDescription(/Leave empty to keep the current number/)
  await field('Name').fill('Maja Ek')
  await saveWithoutNumber()
  await edit.click()
  await expect.element(again).toBeVisible()
  network.on(`GET ${RECORD}`, () => record)
  await again.click()
  await expect.element(number).toHaveValue(NUMBER)
})

test('changing the type back restores the social security number', async () => {
  acceptUpdates()
  await openEditForm()
  await choose('Customer Type', 'Company')
  await expect.element(field('Organization Number')).toHaveValue('')
  await choose('Customer Type', 'Client')
  await expect.element(number).toHaveValue(NUMBER)
  await saveWithoutNumber()
})

test('changing a company to a person requires a number', async () => {
  openCustomers([company(1)])
  await page.getByRole('button', { name: 'Edit Bil 1 AB' }).click()
  await choose('Customer Type', 'Private person')
  await save.click()
  await expect.element(page.getByText('Social security number is required.')).toBeVisible()
  expect(savedBodies('PUT', RECORD)).toHaveLength(0)
})

test('after a conflict the form loads the newer number, which the response does not contain', async () => {
  const { server } = openCustomers(customers(1))
  await edit.click()
  await expect.element(number).toHaveValue(NUMBER)
  await field('Name').fill('Maja Ek')
  const theirs = customer(1, { location: 'Lund', version: 5, socialSecurityNumber: '19900101-0017' })
  server.records = [theirs]
  network.on(`PUT ${RECORD}`, () =>
    errorResponse(409, 'Another user was faster.', { data: summaryOf(theirs) }),
  )
  await save.click()
  await expect.element(page.getByText('Their changes, already applied')).toBeVisible()
  await expect.element(field('Location')).toHaveValue('Lund')
  // After the conflict, the form shows the number that the other user has saved.
  await expect.element(number).toHaveValue('19900101-0017')
  acceptUpdates()
  await save.click()
  await expect.element(updated).toBeVisible()
  const change = savedBodies('PUT', RECORD).at(-1)
  expect(change).toMatchObject({ name: 'Maja Ek', location: 'Lund', version: 5 })
  expect(change).not.toHaveProperty('socialSecurityNumber')
})

test('a draft is stored without the number', async () => {
  await openEditForm()
  await number.fill('19900101-0017')
  await field('Name').fill('Maja Ek')
  const stored = () => Object.values(sessionStorage).join(' ')
  await expect.poll(stored).toContain('Maja Ek')
  expect(stored()).not.toContain('19900101')
  expect(stored()).not.toContain(NUMBER)
})

import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { company, customer, openCustomers, savedBodies, summaryOf } from '~/test/customers'
import { errorResponse, network } from '~/test/network'
import { expectAlert } from '~/test/open'
import { listOf } from '~/test/records'

const NUMBER = '19850312-4471'

const field = (name: string) => page.getByRole('textbox', { name })
const create = page.getByRole('button', { name: 'Create customer' })

/** Opens the form of a new private person, fills it in, and saves it; the server is busy. */
async function failToCreate() {
  network.on('POST /api/customers', () => errorResponse(503, 'Failed.'))
  await page.getByRole('button', { name: 'New Customer' }).click()
  await field('Name').fill('Maja Holm')
  await field('Email').fill('maja@mail.example')
  await field('Telephone').fill('070')
  await field('Address').fill('Storgatan 1')
  await page.getByRole('combobox', { name: 'Customer Type' }).click()
  await page.getByRole('option', { name: 'Private person', exact: true }).click()
  await field('Social Security Number').fill(NUMBER)
  await create.click()
  await expectAlert('Failed.')
}

test('a lost creation is repeated, although its social security number is not stored', async () => {
  openCustomers([])
  await failToCreate()
  expect(Object.values<string>(sessionStorage).join()).not.toContain(NUMBER)
  network.on('POST /api/customers', () => ({
    status: 201,
    body: { success: true, message: '', data: customer(1) },
  }))
  await create.click()
  await expect.element(page.getByText('Customer created successfully').first()).toBeVisible()
  const [first, again] = network
    .requests('/api/customers')
    .flatMap(({ method, key }) => (method === 'POST' ? [key] : []))
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toBe(first)
  expect(savedBodies('PUT', '/api/customers/c-1')).toEqual([])
})

test('the form of a new company names an existing customer with the same organization number', async () => {
  openCustomers([])
  const records = [summaryOf(company(1))]
  network.on('GET /api/customers/duplicates', ({ query }) =>
    listOf(
      query.get('organizationNumber') === '5593609844'
        ? [{ reasons: ['organization_number'], records, count: 1 }]
        : [],
    ),
  )
  await page.getByRole('button', { name: 'New Customer' }).click()
  await page.getByRole('combobox', { name: 'Customer Type' }).click()
  await page.getByRole('option', { name: 'Company', exact: true }).click()
  await field('Organization Number').fill('5593609844')
  await expect.element(page.getByText('Bil 1 AB has the same organization number.')).toBeVisible()
})

test('a customer that the lost creation may have created is not named as a duplicate', async () => {
  openCustomers([])
  const older = summaryOf(customer(2, { name: 'Bo', createdAt: '2020-01-02T08:00:00Z' }))
  const own = summaryOf(customer(1, { name: 'Maja', createdAt: new Date().toISOString() }))
  network.on('GET /api/customers/duplicates', () =>
    listOf([own, older].map(record => ({ reasons: ['email'], records: [record], count: 1 }))),
  )
  await failToCreate()
  await expect.element(page.getByText('Bo has the same email.')).toBeVisible()
  await expect.element(page.getByText('Maja has the same email.')).not.toBeInTheDocument()
})

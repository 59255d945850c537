import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { customer, pageOf as pageOfCustomers } from '~/test/customers'
import { invoice, invoices, openInvoices } from '~/test/invoices'
import { errorResponse, network } from '~/test/network'
import { expectAlert, moduleResource, servePermissions, textsOf } from '~/test/open'
import { allPermissions, noPermissions } from '~/test/rights'

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const link = (name: string) => page.getByRole('link', { name, exact: true })
const linked = invoice(1, { customer_id: 'c-1' })

/** Opens the page of an invoice, for a user with these permissions on customers. */
function openPage(one = linked, mayCustomers = allPermissions) {
  const app = openInvoices([one], `/dashboard/invoices/${one._id}`)
  servePermissions(
    moduleResource('invoices', 'Invoices', allPermissions),
    moduleResource('customers', 'Customers', mayCustomers),
  )
  return app
}

test('a row links to the page of its invoice, which links to its neighbours and the list', async () => {
  const app = openInvoices(invoices(17), '/dashboard/invoices?page=2')
  await link('Bil 16 AB').click()
  await expect.poll(app.address).toBe('/dashboard/invoices/i-16')
  await expect.element(heading('Bil 16 AB')).toHaveFocus()
  await link('Previous record').click()
  await expect.element(heading('Bil 15 AB')).toBeVisible()
  await link('Invoices').last().click()
  await expect.poll(app.address).toBe('/dashboard/invoices')
})

test('the details dialog links to the page of the invoice', async () => {
  const app = openInvoices([invoice(1)])
  await page.getByRole('link', { name: 'View invoice for Bil 1 AB' }).click()
  await page
    .getByRole('dialog', { name: 'Invoice Details' })
    .getByRole('link', { name: 'Open invoice' })
    .click()
  await expect.poll(app.address).toBe('/dashboard/invoices/i-1')
  await expect.element(heading('Bil 1 AB')).toBeVisible()
  expect(page.getByRole('dialog').elements()).toHaveLength(0)
})

test('the page shows the values of the invoice and its customer', async () => {
  network.on('GET /api/customers', call => pageOfCustomers([customer(1)], call))
  openPage()
  await expect.element(link('Maja Holm 1')).toHaveAttribute('href', '/dashboard/customers/c-1')
  const filter = JSON.stringify([{ field: 'customer_id', op: 'is', value: 'c-1' }])
  expect(network.requests('/api/customers').map(({ query }) => query.get('filter'))).toEqual([filter])
  const values = textsOf(page.getByRole('definition'))
  expect(values).toEqual(expect.arrayContaining(['£1,250.00', 'Jan 31, 2026', 'C-1001', 'i-1']))
  // The customer's details, which contain the social security number, are not requested.
  expect(network.requests('/api/customers/c-1')).toHaveLength(0)
})

test('the customer card shows a failed request, a deleted customer, and a missing link', async () => {
  network.on('GET /api/customers', () => errorResponse(503, ''))
  const app = openPage()
  await expectAlert(/Failed to load customer details/)
  network.on('GET /api/customers', call => pageOfCustomers([], call))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('This customer has been deleted.')).toBeVisible()
  network.on('GET /api/invoices/i-2', () => ({ body: { success: true, data: invoice(2) } }))
  await app.visit('/dashboard/invoices/i-2')
  await expect.element(page.getByText(/not linked to a customer. Edit it to choose one/)).toBeVisible()
})

test('a user who may not read customers sees no customer', async () => {
  openPage(linked, noPermissions)
  await expect.element(heading('Bil 1 AB')).toBeVisible()
  expect(page.getByRole('heading', { name: 'Customer' }).elements()).toHaveLength(0)
  expect(network.requests('/api/customers')).toHaveLength(0)
})

test('after an edit the invoice page shows the saved values, and a deletion leads back to the list', async () => {
  const app = openPage(invoice(1))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Invoice' })
  await form.getByRole('textbox', { name: 'Project Price' }).fill('17')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('£17.00').first()).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete invoice' }).click()
  await expect.poll(app.address).toBe('/dashboard/invoices')
  await expect.element(page.getByText('No invoices found.')).toBeVisible()
})

test('an unknown invoice is reported without a Try Again button', async () => {
  network.on('GET /api/invoices/i-9', () => errorResponse(404, 'Not found. It may have been deleted.'))
  const app = openPage(invoice(1))
  await app.visit('/dashboard/invoices/i-9')
  await expectAlert(/Failed to load this invoice.*Not found/)
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
})

import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { company, customer, customers, openCustomers } from '~/test/customers'
import { invoice, invoices, pageOf } from '~/test/invoices'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, moduleResource, open, servePermissions, textsOf, unload } from '~/test/open'
import { allPermissions, noPermissions, readPermission } from '~/test/rights'

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const link = (name: string) => page.getByRole('link', { name, exact: true })
const next = link('Next record')
const previous = link('Previous record')
const fact = (term: string) => {
  const terms = textsOf(page.getByRole('term'))
  return textsOf(page.getByRole('definition'))[terms.indexOf(term)]
}

/**
 * Opens the page of the first customer, for a user with these permissions on invoices and customers; all by default.
 */
function openPage(all = [customer(1)], mayInvoices = allPermissions, mayCustomers = allPermissions) {
  const opened = openCustomers(all, { address: '/dashboard/customers/c-1', may: mayCustomers })
  servePermissions(
    moduleResource('customers', 'Customers', mayCustomers),
    moduleResource('invoices', 'Invoices', mayInvoices),
  )
  return opened
}

test("a customer's name links to their page, and a click elsewhere in the row expands the row", async () => {
  const app = openCustomers(customers(2))
  await link('Maja Holm 1').click()
  await expect.poll(app.address).toBe('/dashboard/customers/c-1')
  await expect.element(heading('Maja Holm 1')).toHaveFocus()
  await expect.poll(() => document.title).toMatch(/^Maja Holm 1/)
  await link('Customers').last().click()
  await expect.poll(app.address).toBe('/dashboard/customers')
  await page.getByRole('cell', { name: 'Storgatan 2' }).click({ force: true })
  await expect.element(page.getByText('Customer Number')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/customers')
})

test('Back leaves a row expanded', async () => {
  const app = openCustomers(customers(2))
  await page.getByRole('cell', { name: 'Storgatan 2' }).click({ force: true })
  await expect.element(page.getByText('Customer Number')).toBeVisible()
  await link('Maja Holm 1').click()
  await expect.element(heading('Maja Holm 1')).toBeVisible()
  await app.go(-1)
  await expect.poll(app.address).toBe('/dashboard/customers')
  await expect.element(page.getByText('Customer Number')).toBeVisible()
})

test('Back focuses the link that was left, or the heading if it is gone', async () => {
  const { server, go } = openCustomers(customers(2))
  await link('Maja Holm 2').click()
  await expect.element(heading('Maja Holm 2')).toHaveFocus()
  await go(-1)
  await expect.element(link('Maja Holm 2')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(heading('Maja Holm 2')).toHaveFocus()
  server.records = customers(1)
  await go(-1)
  await expect.element(page.getByText('Showing 1 to 1 of 1 item')).toBeVisible()
  await expect.element(heading('Customers')).toHaveFocus()
})

test('the page of a person shows the values and the social security number', async () => {
  openPage([customer(1, { location: '' })], noPermissions)
  await expect.element(heading('Maja Holm 1')).toBeVisible()
  expect(fact('Customer Number')).toBe('C-1001')
  expect(fact('Social Security Number')).toBe('19850312-4471')
  expect(fact('Location')).toBe('N/A')
  await expect.element(link('maja1@mail.example')).toHaveAttribute('href', 'mailto:maja1@mail.example')
  // The invoices are not requested, because the user may not read them.
  expect(network.requests('/api/invoices')).toHaveLength(0)
  expect(page.getByRole('heading', { name: 'Invoices' }).elements()).toHaveLength(0)
})

test('the page shows what a customer has bought, in the currency of the corporation', async () => {
  const bought = { numberOfOrders: 3, totalSpent: 1250.5, warranty: 'Dealer', warrantyPeriod: '12 months' }
  openPage([customer(1, bought)], noPermissions)
  await expect.element(heading('Maja Holm 1')).toBeVisible()
  expect(fact('Orders')).toBe('3')
  expect(fact('Total spent')).toBe('£1,250.50')
  expect(fact('Warranty')).toBe('Dealer, 12 months')
})

test('the page of a company shows the organization number instead of a social security number', async () => {
  openPage([company(1)], noPermissions)
  await expect.element(heading('Bil 1 AB')).toBeVisible()
  expect(fact('Organization Number')).toBe('559360-9844')
  expect(page.getByText('Social Security Number').elements()).toHaveLength(0)
})

test('the page lists the five newest invoices of the customer and links to all of them', async () => {
  network.on('GET /api/invoices', call => pageOf(invoices(7), call))
  const app = openPage()
  await expect.element(page.getByText('7 invoices', { exact: true })).toBeVisible()
  const filter = JSON.stringify([{ field: 'customer_id', op: 'is', value: 'c-1' }])
  expect(network.requests('/api/invoices').map(({ query }) => query.get('filter'))).toEqual([filter])
  const list = page.getByRole('main').getByRole('listitem')
  expect(list.elements()).toHaveLength(5)
  await expect
    .element(list.first())
    .toHaveTextContent('Two estate cars, dieselJan 31, 2026 – Mar 1, 2026£1,250.00')
  await link('Show all 7 invoices').click()
  await expect.poll(app.address).toBe(`/dashboard/invoices?${new URLSearchParams({ filter })}`)
})

test('an invoice with a long title does not widen the page on a phone', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  const customerRequirements = 'Two estate cars, diesel, with tow bars and winter tyres '.repeat(3)
  network.on('GET /api/invoices', call => pageOf([invoice(1, { customerRequirements })], call))
  openPage()
  await expect.element(page.getByRole('link', { name: customerRequirements.trim() })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(360)
})

test('the invoices card shows loading, a failed request, and that there are none', async () => {
  const release = delayResponse('GET /api/invoices', () => errorResponse(503, ''))
  openPage()
  const card = page.getByRole('main').getByRole('status')
  await expect.element(heading('Maja Holm 1')).toBeVisible()
  await expect.element(card).toHaveTextContent('Loading')
  release()
  await expectAlert(/Failed to load invoices/)
  network.on('GET /api/invoices', call => pageOf([], call))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText(/No invoice is linked to this customer/)).toBeVisible()
})

test('the invoices card opens the form of a new invoice with the customer and their latest website', async () => {
  network.on('GET /api/invoices', call => pageOf([invoice(1, { website: 'maja.example' })], call))
  openPage()
  await page.getByRole('button', { name: 'Create invoice' }).click()
  const form = page.getByRole('dialog', { name: 'Create New Invoice' })
  await expect.element(form.getByLabelText('Website', { exact: true })).toHaveValue('maja.example')
  await expect.element(form.getByLabelText('Email', { exact: true })).toHaveValue('maja1@mail.example')
  const name = form.getByRole('combobox', { name: 'Customer' })
  await expect.element(name).toHaveValue('Maja Holm 1')
  await expect.element(name).toHaveAccessibleDescription(/^Linked to customer C-1001/)
  // The user has typed nothing, so that closing asks nothing.
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(form).not.toBeInTheDocument()
})

test('an invoice begun from the customer is a draft after a reload, also on the list', async () => {
  network.on('GET /api/invoices', call => pageOf([invoice(1, { website: 'maja.example' })], call))
  openPage()
  const form = page.getByRole('dialog', { name: 'Create New Invoice' })
  const website = form.getByLabelText('Website', { exact: true })
  const begin = page.getByRole('button', { name: 'Create invoice' })
  await begin.click()
  await expect.element(website).toHaveValue('maja.example')
  await form.getByRole('textbox', { name: 'Project Price' }).fill('1250')
  await unload()
  const app = open('/dashboard/customers/c-1')
  await expect.element(begin).toHaveTextContent('Draft')
  await app.visit('/dashboard/invoices')
  const create = page.getByRole('button', { name: 'Create New Invoice' })
  await expect.element(create).toHaveTextContent('Draft')
  await create.click()
  await expect.element(form.getByText('Draft restored.')).toBeVisible()
  await expect.element(form.getByRole('textbox', { name: 'Project Price' })).toHaveValue('1250')
  await expect.element(form.getByRole('combobox', { name: 'Customer' })).toHaveValue('Maja Holm 1')
  await expect.element(website).toHaveValue('maja.example')
})

test('the invoices card has no button for users who may not create invoices', async () => {
  network.on('GET /api/invoices', call => pageOf([], call))
  openPage([customer(1)], readPermission)
  await expect.element(page.getByText(/No invoice is linked to this customer/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Create invoice' }).elements()).toHaveLength(0)
})

test('the invoices card of an erased customer has no button that creates an invoice', async () => {
  network.on('GET /api/invoices', call => pageOf([], call))
  openPage([customer(1, { name: 'Erased', email: 'erased@erased.invalid' })])
  await expect.element(page.getByText(/No invoice is linked to this customer/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Create invoice' }).elements()).toHaveLength(0)
})

test("the links to neighbours follow the list's search and sort order across its pages", async () => {
  const all = customers(17)
  const app = openCustomers(all, { address: '/dashboard/customers?search=holm&sort=name' })
  await link('Maja Holm 15').click()
  await expect.element(heading('Maja Holm 15')).toBeVisible()
  await next.click()
  await expect.element(heading('Maja Holm 16')).toHaveFocus()
  await expect.poll(app.address).toBe('/dashboard/customers/c-16')
  await expect.element(next).toBeVisible()
  await userEvent.keyboard('j')
  await expect.element(heading('Maja Holm 17')).toHaveFocus()
  await expect.element(previous).toBeVisible()
  expect(next.elements()).toHaveLength(0)
  const searched = network.requests('/api/customers').map(({ query }) => query.get('searchTerm'))
  expect(new Set(searched)).toEqual(new Set(['holm']))
  // The link to the list leads to the page of the list that contains this customer.
  await link('Customers').last().click()
  await expect.element(heading('Customers')).toHaveFocus()
  expect(app.address()).toBe('/dashboard/customers?page=2&search=holm&sort=name')
  await app.go(-1)
  await expect.element(heading('Maja Holm 17')).toBeVisible()
  await expect.element(previous).toBeVisible()
  await userEvent.keyboard('k')
  await expect.element(heading('Maja Holm 16')).toBeVisible()
  await app.go(-1)
  await expect.poll(app.address).toBe('/dashboard/customers?search=holm&sort=name')
})

test('a customer page that was not opened from a list has no links to previous and next customers', async () => {
  openPage(customers(3), noPermissions)
  await expect.element(heading('Maja Holm 1')).toBeVisible()
  expect(next.elements()).toHaveLength(0)
  expect(network.requests('/api/customers')).toHaveLength(0)
})

test('after an edit the customer page shows the saved values, and a deletion leads back to the list', async () => {
  const app = openPage([customer(1)], noPermissions)
  network.on('PUT /api/customers/c-1', ({ body }) => {
    app.server.records = [customer(1, { ...(body as object), version: 5 })]
    return { body: { success: true, message: '', data: app.server.records[0] } }
  })
  network.on('DELETE /api/customers/c-1', () => {
    app.server.records = []
    return { body: { success: true, message: '' } }
  })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Customer' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Maja Berg')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(heading('Maja Berg')).toBeVisible()
  // Deleting is apart from Edit, in a menu.
  expect(page.getByRole('button', { name: 'Delete', exact: true }).elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete customer' }).click()
  await expect.poll(app.address).toBe('/dashboard/customers')
  await expect.element(page.getByText('No customers found.')).toBeVisible()
})

test('at phone width the customer page calls and mails', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openPage([customer(1, { telephone: '070-1' }), customer(2)], noPermissions)
  const link = (name: string) => page.getByRole('link', { name: `${name} Maja Holm 1` })
  await expect.element(link('Call')).toHaveAttribute('href', 'tel:0701')
  await expect.element(link('Email')).toHaveAttribute('href', `mailto:${customer(1).email}`)
})

test('what an erasure has left is shown as a word, without links that call or mail', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  const left = { name: 'Erased', email: 'erased@erased.invalid', telephone: 'Erased', address: 'Erased' }
  const app = openPage([customer(1, left)], noPermissions)
  const reach = page.getByRole('link', { name: /^(Call|Email) / })
  await expect.element(heading('Erased')).toBeVisible()
  expect(['Email', 'Telephone', 'Address'].map(fact)).toEqual(['Erased', 'Erased', 'Erased'])
  expect(link('Erased').elements()).toHaveLength(0)
  expect(reach.elements()).toHaveLength(0)
  await app.visit('/dashboard/customers')
  const list = page.getByRole('list', { name: 'Customers' })
  await expect.element(list).toHaveTextContent('Erased')
  await expect.element(list).not.toHaveTextContent('erased@')
  expect(reach.elements()).toHaveLength(0)
})

test('a user who may only read can neither edit nor delete', async () => {
  openPage([customer(1)], noPermissions, { ...noPermissions, can_read: true })
  await expect.element(heading('Maja Holm 1')).toBeVisible()
  expect(page.getByRole('button', { name: /^(Edit|More actions)$/ }).elements()).toHaveLength(0)
})

test('the page says if the customer is unknown, forbidden, or failed to load', async () => {
  const app = openPage(customers(2), noPermissions)
  await expect.element(heading('Maja Holm 1')).toBeVisible()
  network.on('GET /api/customers/c-9', () => errorResponse(404, 'Not found. It may have been deleted.'))
  await app.visit('/dashboard/customers/c-9')
  await expectAlert(/Failed to load customer details.*Not found/)
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
  network.on('GET /api/customers/c-8', () => errorResponse(403, ''))
  await app.visit('/dashboard/customers/c-8')
  await expect.element(heading("You don't have access to this customer")).toBeVisible()
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Go to the dashboard' }))
    .toHaveAttribute('href', '/dashboard')
  network.on('GET /api/customers/c-7', () => errorResponse(503, ''))
  await app.visit('/dashboard/customers/c-7')
  await expectAlert('Failed to load customer details')
  network.on('GET /api/customers/c-7', () => ({ body: { success: true, data: customer(7) } }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(heading('Maja Holm 7')).toBeVisible()
})

test("an invoice opened from the customer's page links to the next invoice of the same customer", async () => {
  const all = [1, 2].map(number => invoice(number, { customer_id: 'c-1' }))
  network.on('GET /api/invoices', call => pageOf(all, call))
  for (const data of all)
    network.on(`GET /api/invoices/${data._id}`, () => ({ body: { success: true, data } }))
  openPage()
  await page.getByRole('link', { name: 'Two estate cars, diesel' }).first().click()
  await expect.element(heading('Bil 1 AB')).toBeVisible()
  await next.click()
  await expect.element(heading('Bil 2 AB')).toBeVisible()
  const filters = network.requests('/api/invoices').map(({ query }) => query.get('filter'))
  expect(new Set(filters).size).toBe(1)
  await link('Maja Holm 1').click()
  await expect.element(heading('Maja Holm 1')).toBeVisible()
})

test('the cards below the agreements appear when these have loaded or have failed to load', async () => {
  const release = delayResponse('GET /api/agreements', () => errorResponse(503, 'The server is busy.'))
  openPage()
  servePermissions(
    moduleResource('customers', 'Customers', allPermissions),
    moduleResource('agreements', 'Agreements', allPermissions),
  )
  const history = page.getByRole('heading', { name: /^History/ })
  await expect.element(page.getByRole('heading', { name: 'Agreements' })).toBeVisible()
  await expect.element(history).not.toBeInTheDocument()
  release()
  await expect.element(page.getByText('The server is busy.')).toBeVisible()
  await expect.element(history).toBeVisible()
})

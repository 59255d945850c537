import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drafts } from '~/lib/drafts'
import { customer, pageOf as pageOfCustomers } from '~/test/customers'
import { invoice, openInvoices, pageOf, savedBodies } from '~/test/invoices'
import { delayResponse, errorResponse, network } from '~/test/network'
import { moduleResource, servePermissions, textsOf } from '~/test/open'
import { allPermissions, noPermissions } from '~/test/rights'

/** Returns the id of the customer with this number, a UUID, because the form validates the id's format. */
const idOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const field = (name: string) => page.getByLabelText(name, { exact: true })
const input = page.getByRole('combobox', { name: 'Customer' })
const option = (name: RegExp) => page.getByRole('option', { name })
const dialog = page.getByRole('dialog')
const unlink = page.getByRole('button', { name: 'Remove the link to the customer' })

/** Opens the form of the first of `invoices`, or of a new invoice, for a user with these permissions on customers. */
async function openForm(invoices = [] as ReturnType<typeof invoice>[], mayCustomers = allPermissions) {
  const app = openInvoices(invoices)
  servePermissions(
    moduleResource('invoices', 'Invoices', allPermissions),
    moduleResource('customers', 'Customers', mayCustomers),
  )
  const [first] = invoices
  const opener = first ? `Edit invoice for ${first.customer}` : 'Create New Invoice'
  await page.getByRole('button', { name: opener }).click()
  await expect.element(dialog).toBeVisible()
  return app
}

const serveCustomers = (...names: string[]) =>
  network.on('GET /api/customers', call =>
    pageOfCustomers(
      names.map((name, index) => customer(index + 1, { customer_id: idOf(index + 1), name })),
      call,
    ),
  )

async function fillRest() {
  await field('Website').fill('nordbil.example')
  await field('Start Date').fill('2026-01-31')
  await field('End Date').fill('2026-01-31')
  await page.getByRole('textbox', { name: 'Project Price' }).fill('1250')
}

test('a customer is found while typing, chosen by keyboard, and fills the email', async () => {
  serveCustomers('Maja Holm', 'Maja Holm')
  await openForm()
  await input.click()
  await userEvent.keyboard('maj')
  await expect.element(option(/C-1002/)).toBeVisible()
  expect(network.requests('/api/customers').map(({ query }) => query.get('searchTerm'))).toEqual(['maj'])
  expect(textsOf(page.getByRole('option'))).toEqual([
    'Maja HolmC-1001 · maja1@mail.example',
    'Maja HolmC-1002 · maja2@mail.example',
  ])
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await expect.element(input).toHaveValue('Maja Holm')
  await expect
    .element(input)
    .toHaveAccessibleDescription(/^Linked to customer C-1002\s+\(opens in a new tab\)/)
  await expect.element(field('Email')).toHaveValue('maja2@mail.example')
  expect(page.getByRole('option').elements()).toHaveLength(0)
  await fillRest()
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await expect
    .poll(() => savedBodies('POST'))
    .toMatchObject([
      { customer: 'Maja Holm', customer_id: idOf(2), email: 'maja2@mail.example', projectPrice: 1250 },
    ])
})

test('choosing a customer fills the website from the newest invoice, and keeps a typed email', async () => {
  serveCustomers('Maja Holm')
  await openForm()
  network.on('GET /api/invoices', call =>
    pageOf(call.query.get('filter') ? [invoice(1, { website: 'maja.example' })] : [], call),
  )
  await field('Email').fill('typed@mail.example')
  await input.fill('maja')
  await option(/Maja Holm/).click()
  await expect.element(field('Website')).toHaveValue('maja.example')
  await expect.element(field('Email')).toHaveValue('typed@mail.example')
})

test('what an erasure has left is suggested as a word, and fills no field', async () => {
  const email = 'erased@erased.invalid'
  network.on('GET /api/customers', call =>
    pageOfCustomers([customer(1, { customer_id: idOf(1), name: 'Maja Holm', email })], call),
  )
  await openForm()
  network.on('GET /api/invoices', call =>
    pageOf(call.query.get('filter') ? [invoice(1, { website: 'erased.invalid' })] : [], call),
  )
  await input.fill('maja')
  await option(/C-1001 · Erased/).click()
  await expect
    .poll(() => network.requests('/api/invoices').filter(({ query }) => query.get('filter')))
    .toHaveLength(1)
  await expect.element(unlink).toBeVisible()
  expect([field('Email'), field('Website')].map(each => (each.element() as HTMLInputElement).value)).toEqual([
    '',
    '',
  ])
})

test('what the form filled in for a customer is replaced or removed with the link', async () => {
  serveCustomers('Maja Holm', 'Lisa Berg')
  await openForm()
  network.on('GET /api/invoices', call =>
    pageOf(
      call.query.get('filter')?.includes(idOf(1)) ? [invoice(1, { website: 'maja.example' })] : [],
      call,
    ),
  )
  await input.fill('maja')
  await option(/Maja Holm/).click()
  await expect.element(field('Website')).toHaveValue('maja.example')
  // Lisa has no invoices.
  await input.fill('lisa')
  await option(/Lisa Berg/).click()
  await expect.element(field('Email')).toHaveValue('maja2@mail.example')
  await expect.element(field('Website')).toHaveValue('')
  await expect.element(field('Website')).not.toHaveAttribute('aria-invalid', 'true')
  await input.fill('maja')
  await option(/Maja Holm/).click()
  await expect.element(field('Website')).toHaveValue('maja.example')
  await unlink.click()
  await expect.element(field('Website')).toHaveValue('')
  await expect.element(field('Email')).toHaveValue('')
  await input.fill('lisa')
  await option(/Lisa Berg/).click()
  await expect.element(field('Email')).toHaveValue('maja2@mail.example')
  await input.fill('Nobody AB')
  await expect.element(field('Email')).toHaveValue('')
})

test('a restored draft knows which values the form filled in', async () => {
  onTestFinished(() => drafts.forget('invoice '))
  sessionStorage.setItem('draftsOf', 'u1')
  const typed = {
    customer: 'Maja Holm',
    customer_id: idOf(1),
    email: 'maja1@mail.example',
    filledEmail: 'maja1@mail.example',
    website: 'typed.example',
  }
  drafts.save('invoice ', {
    typed: Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, { value, base: '' }])),
  })
  serveCustomers('Maja Holm')
  await openForm()
  await expect.element(field('Email')).toHaveValue('maja1@mail.example')
  await input.fill('Nobody AB')
  await expect.element(field('Email')).toHaveValue('')
  await expect.element(field('Website')).toHaveValue('typed.example')
})

test('another customer leaves the stored email and website of an invoice', async () => {
  serveCustomers('Maja Holm', 'Lisa Berg')
  await openForm([invoice(1, { customer_id: idOf(1) })])
  await input.fill('lisa')
  await option(/Lisa Berg/).click()
  await expect.element(input).toHaveAccessibleDescription(/^Linked to customer C-1002/)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .poll(() => savedBodies('PUT', '/api/invoices/i-1'))
    .toMatchObject([{ customer_id: idOf(2), email: 'info@bil1.example', website: 'bil1.example' }])
})

test('a name that no customer has is kept as typed, without a link', async () => {
  serveCustomers()
  await openForm()
  await input.fill('Nobody AB')
  await expect
    .element(dialog.getByText('No customer matches. The name is kept as typed.').last())
    .toBeVisible()
  await field('Email').fill('ada@nordbil.example')
  await fillRest()
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await expect.poll(() => savedBodies('POST')).toMatchObject([{ customer: 'Nobody AB', customer_id: '' }])
})

test('Escape closes the suggestions and not the form, and Enter submits what was typed', async () => {
  serveCustomers('Maja Holm')
  await openForm()
  await input.fill('maja')
  await expect.element(option(/Maja Holm/)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(option(/Maja Holm/)).not.toBeInTheDocument()
  await expect.element(dialog).toBeVisible()
  await expect.element(input).toHaveValue('maja')
  await input.click()
  await userEvent.keyboard('{Enter}')
  await expect.element(field('Website')).toHaveAccessibleDescription('Website is required')
})

test('Tab leaves the suggestions for the next field', async () => {
  serveCustomers('Maja Holm')
  await openForm()
  await input.fill('maja')
  await expect.element(option(/Maja Holm/)).toBeVisible()
  await userEvent.keyboard('{Tab}')
  await expect.element(field('Website')).toHaveFocus()
  await expect.element(option(/Maja Holm/)).not.toBeInTheDocument()
})

test('leaving the field before the search begins shows no suggestions', async () => {
  serveCustomers('Maja Holm')
  await openForm()
  await input.fill('maja')
  await field('Email').fill('ada@nordbil.example')
  await fillRest()
  await page.getByRole('button', { name: 'Create invoice' }).click()
  await expect.poll(() => savedBodies('POST')).toHaveLength(1)
  expect(network.requests('/api/customers')).toHaveLength(0)
})

test('a link to a customer that was deleted is said', async () => {
  serveCustomers()
  await openForm([invoice(1, { customer_id: idOf(1) })])
  await expect.element(input).toHaveAccessibleDescription('This customer has been deleted.')
  await expect.element(unlink).toBeVisible()
})

test('changing the text, or the unlink button, removes the link to the customer', async () => {
  serveCustomers('Maja Holm')
  const linked = invoice(1, { customer_id: idOf(1) })
  await openForm([linked])
  await expect
    .element(input)
    .toHaveAccessibleDescription(/^Linked to customer C-1001\s+\(opens in a new tab\)/)
  const link = dialog.getByRole('link', { name: 'C-1001' })
  await expect.element(link).toHaveAttribute('href', `/dashboard/customers/${idOf(1)}`)
  // Not in this tab, which has the form's input.
  await expect.element(link).toHaveAttribute('target', '_blank')
  await unlink.click()
  await expect.element(input).toHaveFocus()
  await expect.element(input).toHaveAccessibleDescription('Choose a customer, or type any name.')
  await expect.element(input).toHaveValue('Bil 1 AB')
  await input.fill('maja')
  await option(/Maja Holm/).click()
  await expect.element(unlink).toBeVisible()
  await userEvent.keyboard('s{Tab}')
  await expect.element(unlink).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .poll(() => savedBodies('PUT', '/api/invoices/i-1'))
    .toMatchObject([{ customer: 'Maja Holms', customer_id: '' }])
})

test('the customer search shows that it runs or has failed, and can be retried', async () => {
  const release = delayResponse('GET /api/customers', () => errorResponse(503, 'The server is busy.'))
  await openForm()
  await input.fill('maja')
  await expect.element(dialog.getByText('Searching').last()).toBeVisible()
  release()
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent("Couldn't search customers. The server is busy.")
  serveCustomers('Maja Holm')
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(option(/Maja Holm/)).toBeVisible()
})

test('if more customers match than are shown, their total is shown', async () => {
  serveCustomers(...Array.from({ length: 12 }, (_, index) => `Holm ${index}`))
  await openForm()
  await input.fill('holm')
  await expect.element(dialog.getByText('8 of 12 are shown. Type more to find others.')).toBeVisible()
})

test('a customer that was deleted meanwhile is an error of the field', async () => {
  serveCustomers('Maja Holm')
  await openForm([invoice(1)])
  await input.fill('maja')
  await option(/Maja Holm/).click()
  const wrong = 'This customer no longer exists.'
  network.on('PUT /api/invoices/i-1', () => errorResponse(400, wrong, { fields: { customer_id: [wrong] } }))
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(input).toHaveAccessibleDescription(wrong)
  await expect.element(input).toHaveAttribute('aria-invalid', 'true')
  await input.fill('Other AB')
  await expect.element(input).not.toHaveAccessibleDescription(wrong)
})

test('a user who may not read customers can only type a name, and another name removes the link', async () => {
  await openForm([invoice(1, { customer_id: idOf(1) })], noPermissions)
  expect(input.elements()).toHaveLength(0)
  await page.getByRole('textbox', { name: 'Customer' }).fill('Other AB')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .poll(() => savedBodies('PUT', '/api/invoices/i-1'))
    .toMatchObject([{ customer: 'Other AB', customer_id: '' }])
  expect(network.requests('/api/customers')).toHaveLength(0)
})

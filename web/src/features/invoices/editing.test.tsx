import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core } from '~/core'
import { invoice, openInvoices, savedBodies } from '~/test/invoices'
import { delayResponse, errorResponse, network } from '~/test/network'
import { failNetwork } from '~/test/signIn'

const field = (name: string) => page.getByLabelText(name, { exact: true })
const price = page.getByRole('textbox', { name: 'Project Price' })
const submit = page.getByRole('button', { name: 'Create invoice', exact: true })
const save = page.getByRole('button', { name: 'Save changes' })
const dialog = page.getByRole('dialog')

async function openNew() {
  const app = openInvoices([])
  await page.getByRole('button', { name: 'Create New Invoice' }).click()
  return app
}

async function edit(more = {}) {
  const app = openInvoices([invoice(1, more)])
  await page.getByRole('button', { name: 'Edit invoice for Bil 1 AB' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Edit Invoice' })).toBeVisible()
  return app
}

/** Fills in the required fields of an invoice except the price. */
async function fill() {
  await field('Customer').fill('Nordbil')
  await field('Website').fill('nordbil.example')
  await field('Email').fill('ada+cars@nordbil.example')
  await field('Start Date').fill('2026-01-31')
  await field('End Date').fill('2026-01-31')
}

const toasts = () =>
  page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('group')
    .elements()
    .map(toast => [...toast.querySelectorAll('h2, p')].map(line => line.textContent))

test('each error is a toast, in the order of the form, and shown at its field', async () => {
  await openNew()
  await expect.element(page.getByRole('dialog', { name: 'Create New Invoice' })).toBeVisible()
  await submit.click()
  const sentences = [
    'Customer name is required',
    'Website is required',
    'Email is required',
    'Start date is required',
    'End date is required',
    'Please enter a valid project price',
  ]
  await expect.poll(toasts).toEqual(sentences.map(sentence => ['Validation Error', sentence]))
  for (const [name, sentence] of [
    ['Customer', sentences[0]],
    ['Website', sentences[1]],
    ['Email', sentences[2]],
    ['Start Date', sentences[3]],
    ['End Date', sentences[4]],
    // A price is described by its currency, too.
    ['Project Price', `GBP ${sentences[5]}`],
  ] as const) {
    await expect.element(field(name)).toHaveAccessibleDescription(sentence)
  }
  await expect.element(field('Customer')).toHaveFocus()
  const quiet = page
    .getByRole('region', { name: 'Notifications' })
    .element()
    .querySelectorAll('[aria-live=off]')
  expect(quiet, 'screen readers announce each error only at its field').toHaveLength(sentences.length)
  // After submitting again there are still six toasts.
  await submit.click()
  await expect.poll(toasts).toHaveLength(6)
  expect(savedBodies('POST')).toHaveLength(0)
})

test('an invalid email, reversed dates and a zero price are reported', async () => {
  await openNew()
  await fill()
  await field('Email').fill('ada@nordbil')
  await field('End Date').fill('2026-01-30')
  await price.fill('0')
  await submit.click()
  await expect.poll(toasts).toEqual([
    ['Validation Error', 'Please enter a valid email address'],
    ['Validation Error', 'End date must be after start date'],
    ['Validation Error', 'Please enter a valid project price'],
  ])
  expect(savedBodies('POST')).toHaveLength(0)
})

test('the end date is checked again when the start date changes', async () => {
  await openNew()
  await fill()
  await field('End Date').fill('2026-01-30')
  await field('Website').click()
  const error = 'End date must be after start date'
  await expect.element(field('End Date')).toHaveAccessibleDescription(error)
  await field('Start Date').fill('2026-01-29')
  await expect.element(field('End Date')).not.toHaveAccessibleDescription(error)
  await field('Start Date').fill('2026-02-01')
  await expect.element(field('End Date')).toHaveAccessibleDescription(error)
})

test('while one field has an error, another change shows no error of an empty field', async () => {
  await openNew()
  await field('Email').fill('ada@nordbil')
  await field('Website').click()
  const error = 'Please enter a valid email address'
  await expect.element(field('Email')).toHaveAccessibleDescription(error)
  await field('Website').fill('nordbil.example')
  await expect.element(field('Email')).toHaveAccessibleDescription(error)
  await expect.element(price).not.toHaveAttribute('aria-invalid', 'true')
})

test('an incomplete date is reported as such, not as missing', async () => {
  await openNew()
  await fill()
  await price.fill('1')
  await field('Start Date').fill('')
  await field('Start Date').click()
  await userEvent.keyboard('12{Enter}')
  await expect.poll(toasts).toEqual([['Validation Error', 'Please enter a valid date']])
  await expect.element(field('Start Date')).toHaveAccessibleDescription('Please enter a valid date')
  expect(savedBodies('POST')).toHaveLength(0)
})

test('a price with three decimals is invalid', async () => {
  await openNew()
  await fill()
  await expect.element(price).toHaveAttribute('inputmode', 'decimal')
  await price.fill('19.999')
  await submit.click()
  await expect.element(price).toHaveAccessibleDescription('GBP Please enter a valid project price')
  await expect.element(price).toHaveValue('19.999')
  expect(savedBodies('POST')).toHaveLength(0)
})

test.each([
  ['0.01', 0.01],
  ['1250,50', 1250.5],
  ['1 250,50', 1250.5],
  ['0.1', 0.1],
  ['1234567.89', 1234567.89],
  ['99999999999.99', 99999999999.99],
])('the price %s is sent as the exact number %s', async (typed, number) => {
  await openNew()
  await fill()
  await price.fill(typed)
  await submit.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('POST').at(-1)?.projectPrice).toBe(number)
})

test('a new invoice may end on its start date', async () => {
  await openNew()
  await fill()
  await price.fill('1250')
  await field('Requirements').fill('Two estate cars')
  await submit.click()
  await expect.element(page.getByText('Invoice created successfully')).toBeVisible()
  await expect.element(page.getByText('Showing 1 to 1 of 1 invoice')).toBeVisible()
  expect(savedBodies('POST')).toEqual([
    {
      customer: 'Nordbil',
      customer_id: '',
      website: 'nordbil.example',
      email: 'ada+cars@nordbil.example',
      customerRequirements: 'Two estate cars',
      startDate: '2026-01-31',
      endDate: '2026-01-31',
      projectPrice: 1250,
    },
  ])
})

test('the edit form shows the invoice and sends its version', async () => {
  await edit({ projectPrice: 0.1 })
  await expect.element(price).toHaveValue('0.10')
  await expect.element(field('Start Date')).toHaveValue('2026-01-31')
  await price.fill('0.01')
  await save.click()
  await expect.element(page.getByText('Invoice updated successfully')).toBeVisible()
  await expect.element(page.getByText('£0.01')).toBeVisible()
  expect(savedBodies('PUT', '/api/invoices/i-1')).toMatchObject([{ projectPrice: 0.01, version: 4 }])
})

test('a failed creation shows why, keeps the input, and is sent again with the same key', async () => {
  await openNew()
  await fill()
  await price.fill('12.50')
  network.on('POST /api/invoices', () => errorResponse(503, 'The server is busy.'))
  await submit.click()
  const said = dialog.getByRole('alert')
  await expect.element(said).toHaveTextContent(/^Failed to create invoice\. The server is busy\.$/)
  await expect.element(field('Customer')).toHaveValue('Nordbil')
  await expect.element(price).toHaveValue('12.50')
  network.on('POST /api/invoices', failNetwork)
  await submit.click()
  await expect.element(said).toHaveTextContent(core.texts().general.noConnection.text)
  // The server may have created the invoice at the first attempt.
  const [first, again] = network
    .requests('/api/invoices')
    .flatMap(({ method, key }) => (method === 'POST' ? [key] : []))
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toBe(first)
})

test("a failed update shows why and the server's errors at their fields", async () => {
  await edit()
  network.on('PUT /api/invoices/i-1', () => errorResponse(500, ''))
  await field('Customer').fill('Nordbil')
  await save.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(/^Failed to update invoice\.$/)
  const wrong = 'Website is required'
  network.on('PUT /api/invoices/i-1', () => errorResponse(400, wrong, { fields: { website: [wrong] } }))
  await save.click()
  await expect.element(field('Website')).toHaveAccessibleDescription(wrong)
  await expect.element(field('Website')).toHaveFocus()
})

test('a second click while saving is ignored', async () => {
  await openNew()
  await fill()
  await price.fill('1')
  const release = delayResponse('POST /api/invoices', () => ({
    status: 201,
    body: { success: true, message: '', data: invoice(1) },
  }))
  await submit.click()
  await expect.element(dialog.getByRole('button', { name: 'Create invoice' })).toHaveAttribute('aria-busy')
  await submit.click()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).toBeVisible()
  release()
  await expect.element(page.getByText('Invoice created successfully')).toBeVisible()
  expect(savedBodies('POST')).toHaveLength(1)
})

test('closing asks before discarding, and the form is empty again', async () => {
  await openNew()
  await field('Customer').fill('Nordbil')
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Create New Invoice' }).click()
  await expect.element(field('Customer')).toHaveValue('')
})

test('a conflict shows both versions, and the next save is based on theirs', async () => {
  const { server } = await edit()
  const theirs = invoice(1, {
    customer: 'Bil One AB',
    endDate: '2026-04-01',
    projectPrice: 1500.5,
    version: 7,
  })
  const works = { body: { success: true, message: '', data: theirs } }
  network.on('PUT /api/invoices/i-1', ({ body }) => {
    server.records = [theirs]
    const { version } = body as { version: number }
    return version === 7 ? works : errorResponse(409, core.texts().general.stale.text, { data: theirs })
  })
  await field('Customer').fill('Bil Uno AB')
  await price.fill('1300')
  await save.click()
  const report = page.getByRole('region', { name: core.texts().general.stale.text })
  await expect.element(report).toHaveFocus()
  await expect.element(field('Customer')).toHaveValue('Bil Uno AB')
  await expect.element(price).toHaveValue('1300')
  await expect.element(field('End Date')).toHaveValue('2026-04-01')
  await expect.element(report).toHaveTextContent(/End DateApr 1, 2026 ?Previously: ?Mar 1, 2026/)
  await report
    .getByRole('group', { name: 'Project Price' })
    .getByRole('radio', { name: 'Theirs 1500.50' })
    .click()
  await expect.element(price).toHaveValue('1500.50')
  await save.click()
  await expect.element(page.getByText('Invoice updated successfully')).toBeVisible()
  expect(savedBodies('PUT', '/api/invoices/i-1')).toMatchObject([
    { version: 4, customer: 'Bil Uno AB', projectPrice: 1300, endDate: '2026-03-01' },
    { version: 7, customer: 'Bil Uno AB', projectPrice: 1500.5, endDate: '2026-04-01' },
  ])
})

test('an incomplete date counts as empty in a conflict', async () => {
  await edit()
  const theirs = invoice(1, { startDate: '2026-02-03', version: 5 })
  network.on('PUT /api/invoices/i-1', () =>
    errorResponse(409, core.texts().general.stale.text, { data: theirs }),
  )
  await field('Start Date').fill('2026-02-04')
  await save.click()
  await expect.element(dialog.getByRole('radio', { name: /Yours.*Feb 4, 2026/ })).toBeChecked()
  await field('Start Date').fill('')
  await field('Start Date').click()
  await userEvent.keyboard('12')
  await expect.element(dialog.getByRole('radio', { name: /Yours.*empty/ })).toBeChecked()
})

test('closing the form after a conflict shows the other version', async () => {
  const { server } = await edit()
  const theirs = invoice(1, { customer: 'Bil One AB', version: 5 })
  network.on('PUT /api/invoices/i-1', () => {
    server.records = [theirs]
    return errorResponse(409, core.texts().general.stale.text, { data: theirs })
  })
  await field('Website').fill('other.example')
  await save.click()
  await expect.element(dialog.getByRole('region', { name: core.texts().general.stale.text })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(page.getByRole('row', { name: /^Select Bil One AB/ })).toBeVisible()
})

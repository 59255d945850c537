import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PastValue } from '~/core'
import { contact, serveContact } from '~/test/contacts'
import { customer, openCustomers } from '~/test/customers'
import { change, entry, serveHistory } from '~/test/history'
import { invoice, openInvoices } from '~/test/invoices'
import { delayResponse, errorMessages, errorResponse, network } from '~/test/network'
import { open, signInUser, textsOf } from '~/test/open'
import { openVehicles, vehicle } from '~/test/vehicles'

const items = page.getByRole('region', { name: 'History' }).getByRole('listitem')
const buttons = items.getByRole('button', { name: 'Show as of this date' })
const dialog = page.getByRole('dialog', { name: /^As of Nov 20, 2026/ })
const rows = () => {
  const [terms, values] = [dialog.getByRole('term'), dialog.getByRole('definition')].map(textsOf)
  return terms?.map((term, index) => [term, values?.[index]])
}

const past = (field: string, value: unknown, present: unknown, more: Partial<PastValue> = {}): PastValue =>
  // Undefined values become null, as the API sends empty values.
  JSON.parse(
    JSON.stringify({ field, value: value ?? null, present: present ?? null, is_known: true, ...more }, null),
  )

/** Makes the fake server respond with these values as the record after any entry. */
function servePast(...values: [string, unknown, unknown?][]) {
  const data = values.map(([field, value, present]) =>
    past(field, value, present, { is_changed: JSON.stringify(value) !== JSON.stringify(present) }),
  )
  network.on('GET /api/history/h-1/record', () => ({ body: { success: true, data: { values: data } } }))
}

test('a dialog shows the record as it was after an entry, and marks the fields that differ today', async () => {
  serveHistory([entry(2), entry(1, { changes: [change('name', 'Maja'), change('telephone', '1', '2')] })])
  servePast(
    ['name', 'Maja', 'Maja Holm 1'],
    ['telephone', '070', '070'],
    ['role', 'buyer', 'buyer'],
    ['type', 'Private', 'Company'],
    ['latestPurchase', '2026-01-31', undefined],
    ['totalSpent', undefined, 1250.5],
  )
  openCustomers([customer(1)], { address: '/dashboard/customers/c-1' })
  await expect.element(items.nth(1)).toBeVisible()
  expect(items.first().getByRole('button', { name: 'Show as of this date' }).elements()).toHaveLength(0)
  const button = buttons.first()
  await button.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog).toHaveTextContent('Ada Lindqvist changed 2 fields')
  await expect.element(dialog.getByRole('status')).toHaveTextContent('4 fields are different today')
  expect(rows()).toEqual([
    ['Name', 'MajaToday: Maja Holm 1'],
    ['Telephone', '070'],
    ['Role', 'Buyer'],
    ['Type', 'Private personToday: Company'],
    ['Latest purchase', 'Jan 31, 2026Today: empty'],
    ['Total spent', 'emptyToday: £1,250.50'],
  ])
  expect(network.requests('/api/history/h-1/record')[0]?.query.get('id')).toBe('c-1')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
})

test('at phone width the button is large enough for a thumb', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  serveHistory([entry(2), entry(1)])
  openCustomers([customer(1)], { address: '/dashboard/customers/c-1' })
  await expect.element(buttons).toBeVisible()
  const { width, height } = buttons.element().getBoundingClientRect()
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
})

test('erased and unknown earlier values say so, and a linked record is shown as a word', async () => {
  serveHistory([entry(2), entry(1)])
  const secret = past('socialSecurityNumber', null, null, { is_changed: true, is_known: false })
  const data = [
    past('email', { erased: true }, '', { is_changed: true }),
    past('customer_id', 'c-1', 'c-2', { is_changed: true }),
    secret,
  ]
  network.on('GET /api/history/h-1/record', () => ({ body: { success: true, data: { values: data } } }))
  openInvoices([invoice(1)], '/dashboard/invoices/i-1')
  await buttons.click()
  await expect.element(dialog.getByRole('status')).toHaveTextContent('3 fields are different today')
  expect(rows()).toEqual([
    ['Email', 'erasedToday: empty'],
    ['Linked customer', 'linkedToday: linked to another'],
    ['Social Security Number', 'Unknown: it has been changed since then, and the values are not recorded'],
  ])
})

test('the state after an import is requested by the id of the contact, and says if nothing differs today', async () => {
  signInUser()
  serveHistory([
    entry(3, { action: 'deleted' }),
    entry(2, { action: 'restored', changes: [] }),
    entry(1, { action: 'imported', changes: [], record_id: '', label: 'people.csv' }),
  ])
  servePast(['name', 'Maja', 'Maja'])
  serveContact().server.contact = contact(1)
  open('/dashboard/contacts/id-1')
  await expect.element(buttons.nth(1)).toBeInTheDocument()
  expect(buttons.elements()).toHaveLength(2)
  await buttons.nth(1).click()
  await expect.element(dialog).toHaveTextContent('Ada Lindqvist imported this contact from people.csv')
  await expect.element(dialog.getByRole('status')).toHaveTextContent('Nothing is different today')
  expect(network.requests('/api/history/h-1/record')[0]?.query.get('id')).toBe('id-1')
})

test.each(errorMessages('Failed to load the record of this date'))(
  'the record of then loads, and a failed request shows why (%j) and can be retried',
  async (message, shown) => {
    serveHistory([entry(2), entry(1)])
    const release = delayResponse('GET /api/history/h-1/record', () => errorResponse(503, message))
    openCustomers([customer(1)], { address: '/dashboard/customers/c-1' })
    await buttons.click()
    await expect.element(dialog.getByRole('status')).toHaveTextContent('Loading')
    release()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(shown)
    servePast(['name', 'Maja', 'Maja'])
    await dialog.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(dialog.getByRole('term')).toHaveTextContent('Name')
  },
)

test('a vehicle has the number of its photos then, and costs that differ only in their VAT', async () => {
  const cost = { date: '2026-11-20', kind: 'Tyres', net: 111.5, vat: 27.88, note: 'Four summer tyres' }
  const added = change('photos', 1, 2)
  const ofVehicle = { resource: 'vehicles', record_id: 'v-1', label: 'Volvo V60', changes: [added] }
  serveHistory([entry(2, ofVehicle), entry(1, ofVehicle)])
  const data = [
    past('costs', [cost], [{ ...cost, vat: 0 }], { is_changed: true }),
    past('photos', 2, 3, { is_changed: true }),
    past('photo_order', undefined, undefined, { is_changed: true, is_known: false }),
  ]
  network.on('GET /api/history/h-1/record', () => ({ body: { success: true, data: { values: data } } }))
  openVehicles([vehicle(1)], '/dashboard/vehicles/v-1')
  await buttons.first().click()
  await expect.poll(rows).toEqual([
    [
      'Costs',
      'Nov 20, 2026 Tyres Four summer tyres £111.50 + £27.88 VATToday: Nov 20, 2026 Tyres Four summer tyres £111.50 + £0.00 VAT',
    ],
    ['Photos', '2Today: 3'],
    ['Photo order', 'changed'],
  ])
})

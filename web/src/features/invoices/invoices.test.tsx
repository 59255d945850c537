import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { core } from '~/core'
import { invoice, invoices, openInvoices, serveInvoices, signInForInvoices } from '~/test/invoices'
import { delayResponse, errorResponse, network } from '~/test/network'
import { closeAll, expectAlert, open, servePermissions, textsOf } from '~/test/open'
import { noPermissions, readPermission } from '~/test/rights'

const main = page.getByRole('main')
const create = page.getByRole('button', { name: 'Create New Invoice' })

test('a row shows formatted dates and price, and a dash for empty values', async () => {
  openInvoices([
    invoice(1, { projectPrice: 1234567.89 }),
    invoice(2, { customerRequirements: '', projectPrice: 0.1 }),
  ])
  await expect.element(page.getByRole('heading', { level: 1, name: 'Invoices Management' })).toBeVisible()
  const heads = page.getByRole('columnheader')
  await expect
    .poll(() => textsOf(heads))
    .toEqual([
      // The header of the checkboxes is empty.
      '',
      'Customer',
      'Website',
      'Email',
      'Requirements',
      'Start Date',
      'End Date',
      'Project Price',
      'Actions',
    ])
  const rows = (name: RegExp) => page.getByRole('row', { name }).elements()
  const cells = (row: RegExp) => rows(row).flatMap(({ children }) => [...children].slice(1, 8))
  expect(cells(/^Select Bil 1 AB/).map(cell => cell.textContent)).toEqual([
    'Bil 1 AB',
    'bil1.example',
    'info@bil1.example',
    'Two estate cars, diesel',
    'Jan 31, 2026',
    'Mar 1, 2026',
    '£1,234,567.89',
  ])
  expect(cells(/^Select Bil 2 AB/).map(cell => cell.textContent)).toContain('-')
  const price = page.getByText('£0.10').element()
  expect(getComputedStyle(price).textAlign).toBe('right')
  expect(getComputedStyle(price).fontVariantNumeric).toBe('tabular-nums')
  expect(getComputedStyle(heads.elements()[7] as Element).textAlign).toBe('right')
  expect(document.title).toContain('Invoices Management')
})

test('a page has 15 invoices, and pagination at most three numbers', async () => {
  const app = openInvoices(invoices(76), '/dashboard/invoices?page=2')
  await expect.element(page.getByText('Showing 16 to 30 of 76 invoices')).toBeVisible()
  const numbers = page.getByRole('navigation', { name: /pag/i }).getByRole('link', { name: /\d$/ })
  expect(textsOf(numbers)).toEqual(['1', '2', '3'])
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect.element(page.getByText('Showing 31 to 45 of 76 invoices')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/invoices?page=3')
  expect(network.requests('/api/invoices').map(({ query }) => query.get('limit'))).toEqual(['15', '15'])
})

test('a search is in the URL and can be cleared', async () => {
  const app = openInvoices(invoices(2))
  await page.getByRole('searchbox', { name: 'Search invoices' }).fill('zzz')
  await expect.element(page.getByRole('heading', { name: 'No invoices found.' })).toBeVisible()
  await expect.element(page.getByText('“zzz”')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/invoices?search=zzz')
  await main.getByRole('link', { name: 'Clear search' }).click()
  await expect.element(page.getByText('Showing 1 to 2 of 2 invoices')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/invoices?view=all')
})

test('an empty list offers to create the first invoice', async () => {
  openInvoices([])
  await expect.element(page.getByRole('heading', { name: 'No invoices found.' })).toBeVisible()
  await page.getByRole('button', { name: 'Create the first invoice' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Create New Invoice' })).toBeVisible()
})

test('creating, editing and deleting need their permission, viewing only read', async () => {
  const rights = [
    [{ ...readPermission, can_create: true }, [1, 0, 0]],
    [{ ...readPermission, can_update: true }, [0, 1, 0]],
    [{ ...readPermission, can_delete: true }, [0, 0, 1]],
  ] as const
  for (const [may, buttons] of rights) {
    signInForInvoices(may)
    serveInvoices([invoice(1)])
    open('/dashboard/invoices')
    await expect.element(page.getByRole('link', { name: 'View invoice for Bil 1 AB' })).toBeVisible()
    expect([
      create.elements().length,
      page.getByRole('button', { name: 'Edit invoice for Bil 1 AB' }).elements().length,
      page.getByRole('button', { name: 'Delete invoice for Bil 1 AB' }).elements().length,
    ]).toEqual(buttons)
    closeAll()
  }
})

test('without the resource there is no button to create an invoice', async () => {
  signInForInvoices(noPermissions)
  servePermissions()
  serveInvoices([])
  open('/dashboard/invoices')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(page.getByRole('button', { name: /Create/ }).elements()).toHaveLength(0)
})

test('a skeleton is shown while loading, and a failed request can be retried', async () => {
  signInForInvoices()
  const release = delayResponse('GET /api/invoices', () =>
    errorResponse(503, 'The server is busy. Please try again in a moment.'),
  )
  open('/dashboard/invoices')
  await expect.element(main.getByText('Loading')).toBeInTheDocument()
  release()
  await expectAlert(/Failed to load invoices\..*The server is busy/)
  serveInvoices([invoice(1)])
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('Showing 1 to 1 of 1 invoice')).toBeVisible()
})

test('a missing read permission is reported', async () => {
  signInForInvoices(readPermission)
  network.on('GET /api/invoices', () => errorResponse(403, core.texts().general.notAllowed.text))
  open('/dashboard/invoices')
  await expect.element(page.getByText("You don't have access to invoices")).toBeVisible()
  await expect.element(page.getByText(core.texts().general.notAllowed.text)).toBeVisible()
})

test('deleting asks for confirmation and shows errors', async () => {
  const { server } = openInvoices([invoice(1)])
  const serveDeletion = () => {
    server.records = []
    return { body: { success: true, message: '' } }
  }
  network.on('DELETE /api/invoices/i-1', () => errorResponse(503, 'The server is busy.'))
  await page.getByRole('button', { name: 'Delete invoice for Bil 1 AB' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete invoice' })
  await expect.element(dialog.getByText('Are you sure you want to delete this invoice?')).toBeVisible()
  await expect.element(dialog.getByText('Bil 1 AB')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await dialog.getByRole('button', { name: 'Delete invoice' }).click()
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(/^Failed to delete invoice\. The server is busy\.$/)
  network.on('DELETE /api/invoices/i-1', serveDeletion)
  await dialog.getByRole('button', { name: 'Delete invoice' }).click()
  await expect.element(page.getByText('Invoice deleted successfully')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'No invoices found.' })).toBeVisible()
})

test('at phone width each invoice is a card', async () => {
  await page.viewport(360, 740)
  openInvoices([invoice(1)])
  const card = page.getByRole('list', { name: 'Invoices' }).getByRole('listitem')
  await expect.element(card).toHaveTextContent(/^Bil 1 AB Project Price: £1,250\.00 Start Date/)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  await page.viewport(1280, 800)
})

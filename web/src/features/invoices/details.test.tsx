import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { invoice, invoices, openInvoices } from '~/test/invoices'
import { errorResponse, network } from '~/test/network'
import { textsOf } from '~/test/open'

const dialog = page.getByRole('dialog', { name: 'Invoice Details' })
const view = (customer: string) => page.getByRole('link', { name: `View invoice for ${customer}` })

test('the dialog shows the website as a link and a dash for empty values', async () => {
  openInvoices([invoice(1, { customerRequirements: '', projectPrice: 1234567.89 })])
  await view('Bil 1 AB').click()
  await expect.element(dialog.getByText('Invoice Overview')).toBeVisible()
  const terms = () => textsOf(dialog.getByRole('term'))
  const values = () => textsOf(dialog.getByRole('definition'))
  await expect
    .poll(terms)
    .toEqual(['Customer', 'Website', 'Email', 'Requirements', 'Start Date', 'End Date', 'Project Price'])
  expect(values()).toEqual([
    'Bil 1 AB',
    'bil1.example',
    'info@bil1.example',
    '-',
    'Jan 31, 2026',
    'Mar 1, 2026',
    '£1,234,567.89',
  ])
  await expect
    .element(dialog.getByRole('link', { name: 'bil1.example', exact: true }))
    .toHaveAttribute('href', 'https://bil1.example')
  expect(dialog.getByRole('textbox').elements()).toHaveLength(0)
})

test('a website keeps its prefix, and an invalid one is text', async () => {
  openInvoices([
    invoice(1, { website: 'http://old.example' }),
    invoice(2, { website: 'javascript:alert(1)' }),
  ])
  await view('Bil 1 AB').click()
  await expect
    .element(dialog.getByRole('link', { name: 'http://old.example' }))
    .toHaveAttribute('href', 'http://old.example')
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await view('Bil 2 AB').click()
  await expect.element(dialog.getByText('javascript:alert(1)')).toBeVisible()
  expect(dialog.getByRole('link', { name: 'javascript:alert(1)' }).elements()).toHaveLength(0)
})

test('Back closes the dialog without reloading the list', async () => {
  const app = openInvoices(invoices(16), '/dashboard/invoices?page=2')
  await view('Bil 16 AB').click()
  await expect.element(dialog.getByText('bil16.example', { exact: true })).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/invoices/i-16/details?page=2')
  await app.go(-1)
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.poll(app.address).toBe('/dashboard/invoices?page=2')
  await expect.element(page.getByText('Showing 16 to 16 of 16 invoices')).toBeVisible()
  await expect.element(view('Bil 16 AB')).toHaveFocus()
  expect(network.requests('/api/invoices')).toHaveLength(1)
})

test('closing by keyboard focuses the link, and Forward reopens the dialog', async () => {
  const app = openInvoices([invoice(1)])
  await expect.element(view('Bil 1 AB')).toBeVisible()
  ;(view('Bil 1 AB').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByText('Invoice Overview')).toBeVisible()
  await expect.poll(() => document.title).toMatch(/^Invoice Details/)
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(view('Bil 1 AB')).toHaveFocus()
  expect(document.title).toMatch(/^Invoices Management/)
  await expect.poll(app.address).toBe('/dashboard/invoices')
  await app.go(1)
  await expect.element(dialog).toBeVisible()
})

test('a link to an invoice opens it above the list', async () => {
  const app = openInvoices(invoices(2), '/dashboard/invoices/i-2/details')
  await expect.element(dialog.getByText('Bil 2 AB')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close dialog' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.poll(app.address).toBe('/dashboard/invoices')
  await expect.element(page.getByText('Showing 1 to 2 of 2 invoices')).toBeVisible()
})

test('an unknown invoice is reported, and a failed request can be retried', async () => {
  openInvoices([invoice(1)], '/dashboard/invoices/i-9/details')
  network.on('GET /api/invoices/i-9', () => errorResponse(503, 'The server is busy.'))
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(/Failed to load this invoice\..*The server is busy/)
  network.on('GET /api/invoices/i-9', () => errorResponse(404, 'This does not exist.'))
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This does not exist.')
  expect(dialog.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
})

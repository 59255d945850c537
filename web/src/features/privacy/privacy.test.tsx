import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Certificate, PersonalData } from '~/core'
import { errorResponse, network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { readPermission } from '~/test/rights'

const EMAIL = 'ada@example.se'

const kept: PersonalData['kept'] = [
  {
    kind: 'invoices',
    count: 1,
    fields: ['customer'],
    reason: 'Accounting law requires that invoices are kept.',
    messages: [],
  },
]

const data: PersonalData = {
  held: [
    { kind: 'contacts', count: 2, in_trash: 1 },
    { kind: 'invoices', count: 1, in_trash: 0 },
    { kind: 'history', count: 5, in_trash: 0 },
  ],
  erased: [{ kind: 'contacts', count: 2, fields: ['name'] }],
  kept,
}

const certificate: Certificate = {
  certificate_id: 'c1',
  at: '2026-11-26T12:00:00.000Z',
  by: 'Elin Strand',
  erased: data.erased,
  kept,
}

let certificates: Certificate[] = []

const find = async (email: string) => {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
}

beforeEach(() => {
  signInUser()
  servePermissions()
  certificates = []
  network.on('GET /api/privacy/certificates', () => ({
    body: { success: true, data: certificates, totalItems: certificates.length, totalPages: 1 },
  }))
  network.on('POST /api/privacy/person', ({ body }) =>
    (body as { email: string }).email === EMAIL
      ? { body: { success: true, data } }
      : errorResponse(404, 'Nothing is stored about this email address.'),
  )
  network.on('POST /api/privacy/erase', () => {
    certificates = [certificate]
    return { body: { success: true, message: 'Erased', data: certificate } }
  })
})

test('a user who is no administrator can only go back to the dashboard', async () => {
  signInUser(readPermission, 'User')
  servePermissions()
  const app = open('/dashboard/privacy')
  await expect.element(page.getByText('Only administrators can open this page.')).toBeVisible()
  expect(page.getByRole('textbox', { name: 'Email' }).elements()).toHaveLength(0)
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expect.poll(app.address).toBe('/dashboard')
})

test('a search says if nothing is stored about the email address', async () => {
  open('/dashboard/privacy')
  await find('bo@example.se')
  await expect.element(page.getByText('Nothing is stored about this email address.')).toBeVisible()
})

test('a text that is no address is reported at the field and not searched for', async () => {
  open('/dashboard/privacy')
  await find('not-mail')
  await expect.element(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveFocus()
  expect(network.requests('/api/privacy/person')).toHaveLength(0)
  await find('bo@example.se')
  await expect.element(page.getByText('Nothing is stored about this email address.')).toBeVisible()
  expect(page.getByText('Please enter a valid email address').elements()).toHaveLength(0)
})

test('an address that new records may no longer have is searched for', async () => {
  network.on('POST /api/privacy/person', () => ({ body: { success: true, data } }))
  open('/dashboard/privacy')
  await find("o'hara@example")
  await expect.element(page.getByText('1 of these is in the trash')).toBeVisible()
})

test('the found records link to their filtered lists, and the number in the trash is shown', async () => {
  servePermissions(moduleResource('contacts', 'Contacts', readPermission))
  open('/dashboard/privacy')
  await find(EMAIL)
  await expect.element(page.getByText('1 of these is in the trash')).toBeVisible()
  const link = page.getByRole('link', { name: '2 contacts' })
  const href = link.element().getAttribute('href') ?? ''
  expect(new URLSearchParams(href.split('?')[1]).get('filter')).toContain(EMAIL)
  // No link, because this user may not open the invoices.
  expect(page.getByRole('link', { name: '1 invoice' }).elements()).toHaveLength(0)
  await expect
    .element(page.getByText('Found: 2 contacts, 1 invoice, and 5 entries in the history'))
    .toBeInTheDocument()
})

test('Back from a list searches again for the address, which is not in the URL', async () => {
  servePermissions(moduleResource('contacts', 'Contacts', readPermission))
  network.on('GET /api/contacts', () => ({
    body: { success: true, data: [], totalItems: 0, totalPages: 0, currentPage: 1 },
  }))
  const app = open('/dashboard/privacy')
  await find(EMAIL)
  await page.getByRole('link', { name: '2 contacts' }).click()
  await expect.poll(app.address).toContain('/dashboard/contacts')
  await app.go(-1)
  await expect.element(page.getByRole('link', { name: '2 contacts' })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveValue(EMAIL)
  expect(app.address()).toBe('/dashboard/privacy')
  expect(network.requests('/api/privacy/person')).toHaveLength(2)
})

test('the data is erased only once the address is typed, and the certificate is listed', async () => {
  open('/dashboard/privacy')
  await find(EMAIL)
  await page.getByRole('button', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText('Accounting law requires that invoices are kept.')).toBeVisible()
  const erase = dialog.getByRole('button', { name: 'Erase', exact: true })
  await expect.element(erase).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('textbox').fill(` ${EMAIL.toUpperCase()}`)
  await expect.element(erase).not.toHaveAttribute('aria-disabled', 'true')
  // Enter doesn't erase.
  await userEvent.keyboard('{Enter}')
  expect(network.requests('/api/privacy/erase')).toHaveLength(0)
  await erase.click()
  await expect.element(dialog.getByText('The personal data was erased.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Download certificate' })).toHaveFocus()
  expect(network.requests('/api/privacy/erase').map(({ body }) => body)).toEqual([{ email: EMAIL }])
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.element(page.getByText('by Elin Strand')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Email' })).toHaveFocus()
})

test('if the erasure fails, the dialog stays open with the error and the certificates are reloaded', async () => {
  network.on('POST /api/privacy/erase', () => errorResponse(503, 'The server is busy.'))
  open('/dashboard/privacy')
  await find(EMAIL)
  await page.getByRole('button', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(EMAIL)
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The server is busy.')
  // The certificates are requested again, because the data may have been erased although the request failed.
  await expect.poll(() => network.requests('/api/privacy/certificates')).toHaveLength(2)
})

test('a failed search can be repeated', async () => {
  network.on('POST /api/privacy/person', () => errorResponse(503, 'The server is busy.'))
  open('/dashboard/privacy')
  await find(EMAIL)
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server is busy.')
  network.on('POST /api/privacy/person', () => ({ body: { success: true, data } }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('2 contacts', { exact: true })).toBeVisible()
})

import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { contact, serveContact } from '~/test/contacts'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, open, signInUser } from '~/test/open'

const detail = () => open('/dashboard/contacts/id-1')

/** Returns an expectation, which polls, on the value with this name under System Information. */
const fact = (name: string) => {
  const term = page.getByRole('term').filter({ hasText: name })
  return expect.poll(() => term.element().nextElementSibling?.textContent)
}

test('an invalid website is shown as text without a link', async () => {
  signInUser()
  serveContact({ website: 'javascript:alert(1)' })
  detail()
  await expect.element(page.getByText('javascript:alert(1)')).toBeVisible()
  expect(page.getByRole('link', { name: 'javascript:alert(1)' }).elements()).toHaveLength(0)
})

test('the page shows initials, contact data, other details and import source', async () => {
  signInUser()
  serveContact({
    name: 'Åsa Öberg',
    phone: '+46 70 123 45 67',
    website: 'nordbil.example',
    address: 'Storgatan 1\nLund',
    otherDetails: { Kundnummer: '10045', Note: '' },
    importSource: 'book.xlsx',
    importedAt: '2026-11-19T08:00:00Z',
    importBatchId: 'batch-1',
  })
  detail()
  const main = page.getByRole('main')
  await expect.element(main.getByRole('heading', { level: 1, name: 'Åsa Öberg' })).toBeVisible()
  expect(main.element().querySelector('[data-initials="ÅÖ"]')).not.toBeNull()
  const leadsTo = (name: string, to: string) =>
    expect.element(main.getByRole('link', { name, exact: true })).toHaveAttribute('href', to)
  await leadsTo('person1@nordbil.example', 'mailto:person1@nordbil.example')
  await leadsTo('+46 70 123 45 67', 'tel:+46701234567')
  await leadsTo('nordbil.example', 'https://nordbil.example')
  await expect.element(main.getByText('Storgatan 1 Lund')).toHaveStyle({ whiteSpace: 'pre-line' })
  const details = main.getByRole('table', { name: 'Other Details' })
  await expect.element(details.getByRole('row', { name: 'Kundnummer 10045' })).toBeVisible()
  await expect.element(details.getByRole('row', { name: 'Note N/A' })).toBeVisible()
  await fact('Contact ID').toBe('id-1')
  await fact('Import Source').toBe('book.xlsx')
  await fact('Imported At').toContain('2026')
  await fact('Import Batch ID').toBe('batch-1')
  await fact('Created At').toContain('2026')
  await fact('Updated At').toContain('2026')
})

test('empty values are N/A, and other details are left out if empty', async () => {
  signInUser()
  serveContact({ email: '' })
  detail()
  await fact('Import Source').toBe('N/A')
  await fact('Imported At').toBe('N/A')
  await fact('Import Batch ID').toBe('N/A')
  for (const way of ['Email', 'Phone', 'Website']) {
    await expect
      .element(page.getByRole('listitem').filter({ hasText: `${way}: ` }))
      .toHaveTextContent(/N\/A$/)
  }
  expect(page.getByRole('table', { name: 'Other Details' }).elements()).toHaveLength(0)
})

test('opening another contact discards the state of the first', async () => {
  signInUser()
  serveContact()
  const release = delayResponse('GET /api/contacts/id-2', () => ({
    body: { success: true, data: contact(2) },
  }))
  const app = detail()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Person 1' })).toBeVisible()
  await app.visit('/dashboard/contacts/id-2')
  await expect.element(page.getByRole('main').getByRole('status').first()).toHaveTextContent('Loading')
  expect(page.getByText('Person 1').elements()).toHaveLength(0)
  release()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Person 2' })).toBeVisible()
  await app.go(-1)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Person 1' })).toBeVisible()
  expect(network.requests('/api/contacts/id-1')).toHaveLength(2)
})

test('an unknown contact is reported without a Try Again button', async () => {
  signInUser()
  network.on('GET /api/contacts/id-1', () => errorResponse(404, 'Not found. It may have been deleted.'))
  detail()
  await expectAlert(/Failed to load contact details.*Not found/)
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
})

test('a failed request of a contact can be retried', async () => {
  signInUser()
  network.on('GET /api/contacts/id-1', () => errorResponse(503, ''))
  detail()
  await expectAlert('Failed to load contact details')
  serveContact()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Person 1' })).toBeVisible()
})

test('an edit on the page of a contact is shown immediately', async () => {
  signInUser()
  const { server, answer } = serveContact()
  network.on('PUT /api/contacts/id-1', ({ body }) => {
    server.contact = { ...server.contact, ...(body as object) }
    return answer()
  })
  detail()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Contact' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ada Berg')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Ada Berg' })).toBeVisible()
})

test('an edit is based on the contact that the form was opened with', async () => {
  signInUser()
  const { server, answer } = serveContact()
  const release = delayResponse('POST /api/contacts/id-1/comments', answer)
  network.on('PUT /api/contacts/id-1', ({ body }) =>
    (body as { version: number }).version === server.contact.version
      ? answer()
      : errorResponse(409, 'Someone else has changed this.', { data: server.contact }),
  )
  detail()
  await page.getByRole('textbox', { name: 'New comment' }).fill('Wants a Volvo.')
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Contact' })
  await expect.element(dialog.getByRole('textbox', { name: 'Phone' })).toHaveValue('')
  // The response to the comment contains what another user has changed meanwhile.
  server.contact = contact(1, { phone: '+46 70 9', version: 2 })
  release()
  await expect.element(page.getByText('+46 70 9')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Email' }).fill('ada@nordbil.example')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog.getByText('Their changes, already applied')).toBeVisible()
  await expect.element(dialog.getByRole('textbox', { name: 'Phone' })).toHaveValue('+46 70 9')
  const sent = network.requests('/api/contacts/id-1').filter(({ method }) => method === 'PUT')
  expect(sent.map(({ body }) => body)).toMatchObject([{ version: 1 }])
})

import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { CommentInput, Contact, HistoryEntry } from '~/core'
import { comment, contact, serveContact } from '~/test/contacts'
import { customer, openCustomers } from '~/test/customers'
import { change, entry, pageOf, serveHistory } from '~/test/history'
import { invoice, openInvoices } from '~/test/invoices'
import { delayResponse, errorMessages, errorResponse, network } from '~/test/network'
import { moduleResource, open, servePermissions, signInUser, textsOf } from '~/test/open'
import { allPermissions, noPermissions } from '~/test/rights'
import { openVehicles, photo, servePhotos, vehicle } from '~/test/vehicles'

const card = page.getByRole('region', { name: 'History' })
const items = card.getByRole('listitem')
const terms = () => textsOf(card.getByRole('term'))
const values = () => textsOf(card.getByRole('definition'))
const older = card.getByRole('button', { name: 'Show older changes' })

const openCustomer = (more = {}) =>
  openCustomers([customer(1, more)], { address: '/dashboard/customers/c-1' })

const openInvoice = (more = {}) => openInvoices([invoice(1, more)], '/dashboard/invoices/i-1')

/** Returns `count` history entries, newest first. */
const entries = (count: number): HistoryEntry[] =>
  Array.from({ length: count }, (_, index) => entry(count - index))

test('an entry of an update shows who changed which fields, and formats values by the kind of field', async () => {
  serveHistory([
    entry(2, {
      changes: [
        change('telephone', '070 1', '070 2'),
        change('agreementType', undefined, 'Sales'),
        change('latestPurchase', '2026-01-31'),
        change('totalSpent', 0, 1250.5),
        change('type', 'Private', 'Company'),
        change('typed.totalSpent', 0, 12.5),
      ],
    }),
    entry(1, { changes: [change('name', 'Maja', 'Maja Holm')] }),
  ])
  openCustomer()
  await expect.element(items.first()).toHaveTextContent(/^Ada Lindqvist changed 6 fields8:02/)
  await expect.element(items.nth(1)).toHaveTextContent(/^Ada Lindqvist changed Name8:01/)
  await expect.element(card.getByRole('heading', { level: 2 })).toHaveTextContent('History 2')
  expect(terms()).toEqual([
    'Telephone',
    'Agreement',
    'Latest purchase',
    'Total spent',
    'Type',
    'Total spent (typed)',
    'Name',
  ])
  expect(values()).toEqual([
    'Before: 070 1After: 070 2',
    'emptyAfter: Sales',
    'Before: Jan 31, 2026empty',
    'Before: £0After: £1,250.50',
    'Before: Private personAfter: Company',
    'Before: £0After: £12.50',
    'Before: MajaAfter: Maja Holm',
  ])
  const [request] = network.requests('/api/history')
  expect(Object.fromEntries(request?.query ?? [])).toEqual({
    resource: 'customers',
    id: 'c-1',
    page: '1',
    limit: '20',
  })
})

test('an update without recorded fields is shown as "changed this customer"', async () => {
  serveHistory([entry(1, { changes: [] })])
  openCustomer()
  await expect.element(items.first()).toHaveTextContent(/^Ada Lindqvist changed this customer8:01/)
})

test('the changes that a large page leaves out are requested for each entry', async () => {
  const whole = entry(1, { changes: [change('name', 'Maja', 'Maja Holm')] })
  network.on('GET /api/history/h-1', () => ({ body: { success: true, data: whole } }))
  serveHistory([entry(2), { ...whole, changes: [], is_shortened: true }])
  openCustomer()
  await expect.element(items.nth(1)).toHaveTextContent(/^Ada Lindqvist changed Name8:01/)
  expect(values()).toEqual(['Before: Storgatan 1After: Storgatan 2', 'Before: MajaAfter: Maja Holm'])
  expect(network.requests('/api/history/h-2')).toHaveLength(0)
})

test('a changed social security number is shown as "The value is not recorded"', async () => {
  serveHistory([entry(1, { changes: [change('socialSecurityNumber')] })])
  openCustomer()
  await expect.element(items.first()).toHaveTextContent(/^Ada Lindqvist changed Social Security Number/)
  expect(values().at(-1)).toBe('The value is not recorded')
})

test('the entry of a creation expands to the values with which the record was created', async () => {
  serveHistory([
    entry(2, {
      changes: [change('name', 'Maja', 'Maja Holm 1'), change('email', undefined, 'maja@b.example')],
    }),
    entry(1, { action: 'created', changes: [] }),
  ])
  openContact()
  await expect.element(items.last()).toHaveTextContent(/^Ada Lindqvist created this contact/)
  const button = items.last().getByRole('button', { name: 'From the form, 2 fields', exact: true })
  await expect.element(button).toHaveAttribute('aria-expanded', 'false')
  expect(items.last().getByRole('term').elements()).toHaveLength(0)
  await button.click()
  await expect.element(button).toHaveAttribute('aria-expanded', 'true')
  expect(textsOf(items.last().getByRole('term'))).toEqual(['Name', 'Phone'])
  expect(textsOf(items.last().getByRole('definition'))).toEqual(['Maja', '070'])
})

test('the entry of an import expands to the values from the file', async () => {
  serveHistory([entry(1, { action: 'imported', changes: [] })])
  openContact({ importSource: 'kunder.csv' })
  await items.last().getByRole('button', { name: 'From the file', exact: true }).click()
  expect(textsOf(items.last().getByRole('term'))).toEqual(['Name', 'Email', 'Phone'])
})

/** Opens the page of a contact. */
function openContact(more: Partial<Contact> = {}) {
  signInUser()
  const { server, answer } = serveContact()
  server.contact = contact(1, { name: 'Maja Holm 1', email: 'maja@b.example', phone: '070', ...more })
  open('/dashboard/contacts/id-1')
  return { server, answer }
}

test('the entry of a deletion expands to the values that the record had', async () => {
  serveHistory([
    entry(1, { action: 'deleted', changes: [change('customer', 'Bil AB'), change('projectPrice', 12.5)] }),
  ])
  openInvoice()
  await expect.element(items.first()).toHaveTextContent(/^Ada Lindqvist deleted this invoice/)
  await items.first().getByRole('button', { name: '2 fields', exact: true }).click()
  expect(textsOf(items.getByRole('term'))).toEqual(['Customer', 'Project price'])
  expect(textsOf(items.getByRole('definition'))).toEqual(['Bil AB', '£12.50'])
})

test.each([
  [change('customer_id', undefined, 'c-1'), 'emptyAfter: linked', '/dashboard/customers/c-1'],
  [change('customer_id', 'c-1', 'c-2'), 'Before: linkedAfter: linked to another', '/dashboard/customers/c-2'],
  [change('customer_id', 'c-1'), 'Before: linkedempty', undefined],
])('a link to another record leads to it (%j)', async (changed, shown, href) => {
  serveHistory([entry(1, { changes: [changed] })])
  openInvoice()
  servePermissions(
    moduleResource('invoices', 'Invoices', allPermissions),
    moduleResource('customers', 'Customers', allPermissions),
  )
  await expect.element(items.first()).toHaveTextContent(/^Ada Lindqvist changed Linked customer/)
  expect(values().at(-1)).toBe(shown)
  const links = items.getByRole('link').elements()
  expect(links.map(link => link.getAttribute('href'))).toEqual(href ? [href] : [])
})

test('a user who may not read customers sees a linked customer as a word without a link', async () => {
  serveHistory([entry(1, { changes: [change('customer_id', undefined, 'c-1')] })])
  openInvoice()
  servePermissions(
    moduleResource('invoices', 'Invoices', allPermissions),
    moduleResource('customers', 'Customers', noPermissions),
  )
  await expect.element(items.first()).toHaveTextContent('linked')
  expect(items.getByRole('link').elements()).toHaveLength(0)
})

test('history entries are grouped by the day on which they were made', async () => {
  const ago = (days: number) => {
    const time = new Date()
    time.setDate(time.getDate() - days)
    return time.toISOString()
  }
  serveHistory([entry(4, { at: ago(0) }), entry(3, { at: ago(0) }), entry(2, { at: ago(1) }), entry(1)])
  openCustomer()
  await expect.element(items.nth(3)).toBeVisible()
  const days = card.getByRole('heading', { level: 3 })
  expect(textsOf(days)).toEqual(['Today', 'Yesterday', 'Nov 20, 2026'])
  expect(
    card
      .getByRole('list')
      .elements()
      .map(list => list.children.length),
  ).toEqual([2, 1, 1])
})

test('a history without entries says that no changes are recorded', async () => {
  openCustomer()
  await expect.element(card.getByText('No changes recorded yet')).toBeVisible()
  await expect.element(card.getByRole('heading', { level: 2 })).toHaveTextContent(/^History ?$/)
  expect(older.elements()).toHaveLength(0)
})

test.each(errorMessages('Failed to load the history'))(
  'the history loads, and a failed request shows why (%j) and can be retried',
  async (message, shown) => {
    const release = delayResponse('GET /api/history', () => errorResponse(503, message))
    openCustomer()
    await expect.element(card.getByRole('status')).toHaveTextContent('Loading')
    release()
    await expect.element(card.getByRole('alert')).toHaveTextContent(shown)
    serveHistory(entries(1))
    await card.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(items.first()).toHaveTextContent('Storgatan 1')
    expect(card.getByRole('alert').elements()).toHaveLength(0)
  },
)

test('older changes are loaded page by page, and the first change of the last page gets the focus', async () => {
  serveHistory(entries(45))
  openCustomer()
  await expect.element(card.getByRole('heading', { level: 2 })).toHaveTextContent('History 45')
  expect(items.elements()).toHaveLength(20)
  await older.click()
  await expect.poll(() => items.elements().length).toBe(40)
  await expect.element(older).toBeVisible()
  await older.click()
  await expect.poll(() => items.elements().length).toBe(45)
  await expect.element(older).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement).toBe(items.elements()[40])
  expect(network.requests('/api/history').map(({ query }) => query.get('page'))).toEqual(['1', '2', '3'])
})

test('if older changes fail to load, the error is shown and the user can try again', async () => {
  const all = entries(21)
  serveHistory(all)
  openCustomer()
  await expect.element(older).toBeVisible()
  network.on('GET /api/history', () => errorResponse(503, ''))
  await older.click()
  await expect.element(card.getByRole('alert')).toHaveTextContent('Failed to load older changes')
  expect(items.elements()).toHaveLength(20)
  serveHistory(all)
  await older.click()
  await expect.poll(() => items.elements().length).toBe(21)
  expect(card.getByRole('alert').elements()).toHaveLength(0)
})

test('changes made while older ones load are shown, and no change is shown twice', async () => {
  const server = serveHistory(entries(45))
  openCustomer()
  await expect.element(older).toBeVisible()
  server.entries = entries(55)
  await older.click()
  await expect.element(card.getByRole('heading', { level: 2 })).toHaveTextContent('History 55')
  const shown = () => items.elements().map(item => item.querySelector('ins')?.lastChild?.textContent)
  await expect.poll(shown).toEqual(
    entries(55)
      .slice(0, 40)
      .map((_, index) => `Storgatan ${55 - index}`),
  )
})

test('after an update of the record its entry is shown, and older entries that were loaded stay', async () => {
  const server = serveHistory(entries(25))
  const app = openCustomer()
  await older.click()
  await expect.poll(() => items.elements().length).toBe(25)
  network.on('PUT /api/customers/c-1', ({ body }) => {
    app.server.records = [customer(1, { ...(body as object), version: 5 })]
    server.entries = entries(26)
    return { body: { success: true, message: '', data: app.server.records[0] } }
  })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Customer' })
  await form.getByRole('textbox', { name: 'Address' }).fill('Storgatan 26')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(items.first()).toHaveTextContent('Storgatan 26')
  await expect.element(card.getByRole('heading', { level: 2 })).toHaveTextContent('History 26')
  expect(items.elements()).toHaveLength(26)
})

test('a new comment adds an entry, although the contact keeps its version', async () => {
  const history = serveHistory([entry(1)])
  const { server, answer } = openContact()
  await expect.element(items.first()).toBeVisible()
  network.on('POST /api/contacts/id-1/comments', ({ body }) => {
    const added = comment(1, body as CommentInput)
    server.contact = { ...server.contact, comments: [added], commentsTotal: 1 }
    history.entries = [entry(2, { changes: [change('comments', undefined, added.comment)] }), entry(1)]
    return answer()
  })
  await page.getByRole('textbox', { name: 'New comment' }).fill('Wants a Volvo.')
  await page.getByRole('button', { name: 'Add comment' }).click()
  await expect.element(items.first()).toHaveTextContent(/^Ada Lindqvist commented8:02/)
  expect(values()).toContain('Wants a Volvo.')
  await expect.element(card.getByRole('heading', { level: 2 })).toHaveTextContent('History 2')
  expect(network.requests('/api/history')).toHaveLength(2)
})

test.each([
  ['changed a comment', 'Mailed', 'Before: CalledAfter: Mailed'],
  ['deleted a comment', undefined, 'Called'],
])('an entry says who %s, with its text', async (sentence, after, text) => {
  serveHistory([entry(2, { changes: [change('comments', 'Called', after)] }), entry(1)])
  openContact()
  await expect.element(items.first()).toHaveTextContent(`Ada Lindqvist ${sentence}`)
  expect(values()[0]).toBe(text)
})

test('a long text is cut until "Show all" is pressed', async () => {
  const long = 'Called again. '.repeat(300).trim()
  serveHistory([entry(1, { changes: [change('name', 'Maja', long)] })])
  openCustomer()
  const text = card.getByText('Called again.', { exact: false }).last()
  const height = () => text.element().getBoundingClientRect().height
  await expect.element(text).toHaveTextContent(long)
  const cut = height()
  expect(cut).toBeLessThan(100)
  await card.getByRole('button', { name: 'Show all' }).click()
  expect(height()).toBeGreaterThan(cut * 3)
  await card.getByRole('button', { name: 'Show less' }).click()
  expect(height()).toBe(cut)
})

test('a new order of the photos adds an entry, although the vehicle keeps its version', async () => {
  const history = serveHistory([])
  const shown = vehicle(1, { photos: [photo(1), photo(2)], photo_count: 2 })
  openVehicles([shown], '/dashboard/vehicles/v-1')
  servePhotos(shown)
  await expect.element(card.getByText('No changes recorded yet')).toBeVisible()
  history.entries = [entry(1, { changes: [change('photo_order')] })]
  await page.getByRole('button', { name: 'Move photo forward' }).click()
  await expect.element(items.first()).toHaveTextContent('Ada Lindqvist changed Photo order')
})

test('if the history fails to load after an update, the entries loaded before stay', async () => {
  serveHistory(entries(2))
  const app = openCustomer()
  await expect.element(items.first()).toBeVisible()
  network.on('PUT /api/customers/c-1', ({ body }) => {
    app.server.records = [customer(1, { ...(body as object), version: 5 })]
    network.on('GET /api/history', () => errorResponse(503, 'The server is busy.'))
    return { body: { success: true, message: '', data: app.server.records[0] } }
  })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Customer' })
  await form.getByRole('textbox', { name: 'Address' }).fill('Storgatan 3')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(card.getByRole('alert')).toHaveTextContent('The server is busy.')
  expect(items.elements()).toHaveLength(2)
  network.on('GET /api/history', call => pageOf(entries(3), call))
  await card.getByRole('button', { name: 'Try Again' }).click()
  await expect.poll(() => items.elements().length).toBe(3)
})

test('on a phone the time is below the sentence, and long values wrap', async () => {
  await page.viewport(360, 740)
  try {
    const long = 'x'.repeat(300)
    serveHistory([entry(1, { changes: [change('address', long, long), change('name', 'a', 'b')] })])
    openCustomer()
    await expect.element(items.first()).toBeVisible()
    const box = (element: Element | null | undefined) => element?.getBoundingClientRect()
    const item = items.first().element()
    const [sentence, time] = [box(item.querySelector('p')), box(item.querySelector('time'))]
    expect(time?.top).toBeGreaterThanOrEqual(sentence?.bottom ?? Number.NaN)
    const right = box(card.element())?.right ?? 0
    for (const part of item.querySelectorAll('*')) {
      expect(part.getBoundingClientRect().right).toBeLessThanOrEqual(right)
    }
  } finally {
    await page.viewport(1280, 800)
  }
})

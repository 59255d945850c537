import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { recordAnnouncements } from '~/test/announcements'
import { company, customer, customers, listRequests, openCustomers, pageOf } from '~/test/customers'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, textsOf } from '~/test/open'
import { noPermissions, readPermission } from '~/test/rights'

const list = page.getByRole('table', { name: 'Customers' })
const toggle = (name: string) => list.getByRole('button', { name: `Details of ${name}`, exact: true })
const search = page.getByRole('searchbox', { name: 'Search by Name, Email, or Address' })
const showing = (text: string) =>
  page.getByText(`Showing ${text} ${text.endsWith(' of 1') ? 'item' : 'items'}`, { exact: true })
const detail = (name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .element().nextElementSibling?.textContent

/** Sets the text of the search box immediately, without the delay of key presses. */
function typeAtOnce(text: string) {
  const input = search.element()
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

afterEach(() => page.viewport(1280, 800))

test('three cards show the number of customers by agreement', async () => {
  openCustomers(customers(1))
  const cards = () => textsOf(page.getByRole('definition'))
  await expect
    .poll(cards)
    .toEqual(['1,207', 'Purchased vehicles', '34', 'Vehicles sold', '5', 'Brokered vehicles'])
  const titles = textsOf(page.getByRole('term'))
  expect(titles).toEqual(['Total purchasing customers', 'Total sales customers', 'Total brokerage clients'])
  expect(document.title).toContain('Customers')
})

test('a row has a checkbox and seven columns, with N/A for empty values', async () => {
  openCustomers([customer(1), customer(2, { latestPurchase: undefined, agreementType: undefined })])
  const heads = list.getByRole('columnheader')
  await expect
    .poll(() => textsOf(heads))
    .toEqual(['', 'Name', 'Email', 'Address', 'Telephone', 'Latest purchases', 'Agreement', 'Actions'])
  const row = (number: number) => list.getByRole('row').nth(number)
  await expect
    .element(row(1))
    .toHaveTextContent(
      /Maja Holm 1\s*maja1@mail.example\s*Storgatan 1\s*\+46 70 123 45 01\s*Feb 19, 2026\s*Sales/,
    )
  await expect.element(row(2)).toHaveTextContent(/\+46 70 123 45 02\s*N\/A\s*N\/A/)
})

test('one row at a time is expanded, and a second click collapses it', async () => {
  openCustomers(customers(2))
  await toggle('Maja Holm 1').click()
  await expect.element(toggle('Maja Holm 1')).toHaveAttribute('aria-expanded', 'true')
  expect(detail('Customer Number')).toBe('C-1001')
  await toggle('Maja Holm 2').click()
  await expect.element(toggle('Maja Holm 1')).toHaveAttribute('aria-expanded', 'false')
  await expect.poll(() => detail('Customer Number')).toBe('C-1002')
  await toggle('Maja Holm 2').click()
  await expect.element(page.getByText('Customer Number')).not.toBeInTheDocument()
})

test('a click anywhere in a row except on its buttons expands it', async () => {
  openCustomers(customers(1))
  const cell = list.getByText('Storgatan 1')
  // `force`, because the link that covers the row receives the click instead of the cell.
  await cell.click({ force: true })
  await expect.element(toggle('Maja Holm 1')).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('button', { name: 'Delete Maja Holm 1' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Delete customer' })).toBeVisible()
})

test('an expanded row shows all values, with N/A for empty ones', async () => {
  openCustomers([customer(1, { postalCode: '', location: '', latestPurchase: undefined })])
  await toggle('Maja Holm 1').click()
  await expect.element(page.getByText('Customer Number')).toBeVisible()
  const names = page
    .getByRole('term')
    .elements()
    .slice(3)
    .map(one => one.textContent)
  const values = page
    .getByRole('definition')
    .elements()
    .slice(6)
    .map(one => one.textContent)
  expect(names.map((name, index) => [name, values[index]])).toEqual([
    ['Name', 'Maja Holm 1'],
    ['Customer Number', 'C-1001'],
    ['Customer Type', 'Private person'],
    ['Email', 'maja1@mail.example'],
    ['Telephone', '+46 70 123 45 01'],
    ['Address', 'Storgatan 1'],
    ['Social Security Number', '19850312-4471'],
    ['Postal Code', 'N/A'],
    ['Location', 'N/A'],
    ['Latest Purchases', 'N/A'],
    ['Orders', '0'],
    ['Total spent', '£0'],
    ['Warranty', 'N/A'],
    ['Agreement', 'Sales'],
    ['Status', 'Active'],
  ])
})

test.each(['Company', 'Business'] as const)('a %s has an organization number instead', async type => {
  openCustomers([company(1, { type, status: 'Inactive' })])
  await toggle('Bil 1 AB').click()
  await expect.poll(() => detail('Organization Number')).toBe('559360-9844')
  expect([detail('Customer Type'), detail('Status')]).toEqual([type, 'Inactive'])
  expect(page.getByText('Social Security Number').elements()).toHaveLength(0)
})

test('the page contains no social security number of a collapsed row', async () => {
  const app = openCustomers(customers(1))
  await expect.element(toggle('Maja Holm 1')).toBeVisible()
  const shows = () => document.documentElement.outerHTML.includes('19850312-4471')
  expect(shows()).toBe(false)
  await toggle('Maja Holm 1').click()
  await expect.poll(shows).toBe(true)
  expect(app.address() + document.title).not.toContain('4471')
})

test('a page has 15 customers, and pagination at most three numbers', async () => {
  const app = openCustomers(customers(76), { address: '/dashboard/customers?page=3' })
  await expect.element(showing('31 to 45 of 76')).toBeVisible()
  const numbers = () => textsOf(page.getByRole('link', { name: /^Page / }))
  expect(numbers()).toEqual(['2', '3', '4'])
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect.element(showing('46 to 60 of 76')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/customers?page=4')
  await page.getByRole('link', { name: 'Previous page' }).click()
  await expect.element(showing('31 to 45 of 76')).toBeVisible()
  expect(listRequests().at(-1)?.query.get('limit')).toBe('15')
})

test('the links to the next and previous page keep the focus on the last and first page', async () => {
  openCustomers(customers(16))
  await expect.element(showing('1 to 15 of 16')).toBeVisible()
  const previous = page.getByRole('link', { name: 'Previous page' })
  const next = page.getByRole('link', { name: 'Next page' })
  const press = async (link: typeof next) => {
    const element = link.element() as HTMLElement
    element.focus()
    await userEvent.keyboard('{Enter}')
  }
  await press(next)
  await expect.element(showing('16 to 16 of 16')).toBeVisible()
  await expect.element(next).toHaveFocus()
  await expect.element(next).toHaveAttribute('aria-disabled', 'true')
  await press(previous)
  await expect.element(showing('1 to 15 of 16')).toBeVisible()
  await expect.element(previous).toHaveFocus()
  await expect.element(previous).toHaveAttribute('aria-disabled', 'true')
  const before = listRequests().length
  await userEvent.keyboard('{Enter}')
  await expect.element(previous).toHaveFocus()
  expect(listRequests()).toHaveLength(before)
})

test('while another page loads, the old rows stay visible, dimmed', async () => {
  const { server } = openCustomers(customers(16))
  await expect.element(showing('1 to 15 of 16')).toBeVisible()
  const release = delayResponse('GET /api/customers', call => pageOf(server.records, call))
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
  await expect.element(list).toHaveClass('opacity-50')
  await expect.element(toggle('Maja Holm 15')).toBeInTheDocument()
  release()
  await expect.element(toggle('Maja Holm 16')).toBeVisible()
  await expect.element(list).toHaveAttribute('aria-busy', 'false')
})

test('typing searches after a pause, from page 1, with one history entry', async () => {
  const { server, address, go } = openCustomers(customers(31), { address: '/dashboard/customers?page=2' })
  await expect.element(showing('16 to 30 of 31')).toBeVisible()
  network.on('GET /api/customers', call =>
    pageOf(
      server.records.filter(one => one.name.includes(call.query.get('searchTerm') ?? '')),
      call,
    ),
  )
  const before = listRequests().length
  await search.fill('Holm')
  await expect.poll(address).toBe('/dashboard/customers?search=Holm')
  await userEvent.keyboard(' 3')
  await expect.poll(address).toBe('/dashboard/customers?search=Holm+3')
  await expect.element(showing('1 to 3 of 3')).toBeVisible()
  await expect.element(search).toHaveFocus()
  expect(listRequests()).toHaveLength(before + 2)
  expect(listRequests().at(-1)?.query.get('page')).toBe('1')
  await go(-1)
  await expect.element(showing('16 to 30 of 31')).toBeVisible()
  await expect.element(search).toHaveValue('')
})

test('quick typing sends one request after 300 ms', async () => {
  const { server } = openCustomers(customers(2))
  await expect.element(showing('1 to 2 of 2')).toBeVisible()
  const before = listRequests().length
  let heard = 0
  network.on('GET /api/customers', call => {
    heard = performance.now()
    return pageOf(server.records, call)
  })
  await search.click()
  for (const typed of ['m', 'ma', 'maja ']) typeAtOnce(typed)
  const paused = performance.now()
  await expect.poll(() => listRequests().length).toBe(before + 1)
  expect(heard - paused).toBeGreaterThan(290)
  expect(listRequests().at(-1)?.query.get('searchTerm')).toBe('maja')
  await userEvent.keyboard('holm')
  await expect.poll(() => listRequests().at(-1)?.query.get('searchTerm')).toBe('maja holm')
  await expect.element(search).toHaveValue('maja holm')
})

test('Enter searches immediately', async () => {
  const { address } = openCustomers(customers(2))
  await search.fill('maja')
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/dashboard/customers?search=maja')
})

test('leaving the page cancels a pending search', async () => {
  const { address, visit } = openCustomers(customers(2))
  network.on('GET /api/corporations/allowed-resources', () => errorResponse(503, 'The server is busy.'))
  await search.fill('maja')
  await visit('/dashboard/subscriptions')
  await expect.element(search).not.toBeInTheDocument()
  await new Promise(done => setTimeout(done, 400))
  await expect.poll(address).toBe('/dashboard/subscriptions')
})

test('a search without matches shows its text and can be cleared', async () => {
  const { server, address } = openCustomers([], { address: '/dashboard/customers?search=zzz&type=Client' })
  await expect.element(page.getByRole('heading', { name: 'No customers found.' })).toBeVisible()
  await expect.element(page.getByText('No customers match both “zzz” and the filter.')).toBeVisible()
  server.records = customers(1)
  await page.getByRole('link', { name: 'Clear search and filter' }).click()
  await expect.element(showing('1 to 1 of 1')).toBeVisible()
  await expect.poll(address).toBe('/dashboard/customers?view=all')
})

test('clearing a search without matches keeps its message and announces nothing until rows arrive', async () => {
  const { server } = openCustomers([], { address: '/dashboard/customers?search=zzz' })
  const message = page.getByText('No name, number, email, address or telephone matches “zzz”.')
  await expect.element(message).toBeVisible()
  server.records = customers(1)
  const release = delayResponse('GET /api/customers', call => pageOf(server.records, call))
  const said = recordAnnouncements()
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect.element(search).toHaveValue('')
  await expect.element(message).toBeVisible()
  expect(said).toEqual([])
  release()
  await expect.element(showing('1 to 1 of 1')).toBeVisible()
  await expect.element(message).not.toBeInTheDocument()
})

test('an empty list offers to add the first customer', async () => {
  openCustomers([])
  await expect.element(page.getByRole('heading', { name: 'No customers found.' })).toBeVisible()
  await page.getByRole('button', { name: 'Add the first customer' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Add New Customer' })).toBeVisible()
})

test('without write permissions there are no buttons to edit', async () => {
  openCustomers(customers(1), { may: readPermission })
  await toggle('Maja Holm 1').click()
  await expect.element(page.getByText('Customer Number')).toBeVisible()
  expect(page.getByRole('button', { name: /New Customer|Edit|Delete|first/ }).elements()).toHaveLength(0)
})

test.each([
  [{ can_create: true }, ['New Customer']],
  [{ can_update: true }, ['Edit Maja Holm 1', 'Edit Customer']],
  [{ can_delete: true }, ['Delete Maja Holm 1']],
])('with read permission and %o, only the buttons of that permission are shown', async (may, wanted) => {
  openCustomers(customers(1), { may: { ...readPermission, ...may } })
  await toggle('Maja Holm 1').click()
  await expect.element(page.getByText('Customer Number')).toBeVisible()
  const buttons = page.getByRole('button', { name: /^(New|Edit|Delete) / }).elements()
  expect(buttons.map(button => button.ariaLabel ?? button.textContent)).toEqual(wanted)
})

test('after a 403 neither list nor agreement counts are shown', async () => {
  openCustomers([], { may: { ...noPermissions, can_read: true } })
  network.on('GET /api/customers', () => errorResponse(403, "You don't have permission to do this."))
  await expect.element(page.getByText("You don't have access to customers")).toBeVisible()
  expect(page.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
  expect(page.getByText('Total sales customers').elements()).toHaveLength(0)
})

test('the skeleton stays for 250 ms, and a failed request can be retried', async () => {
  const { server } = openCustomers(customers(1))
  let answered = 0
  network.on('GET /api/customers', () => {
    answered = performance.now()
    return errorResponse(503, 'The server is busy. Please try again in a moment.')
  })
  const loading = page.getByRole('main').getByText('Loading')
  await expect.element(loading).toBeInTheDocument()
  const rows = loading.element().nextElementSibling?.querySelectorAll('.h-11')
  expect(rows).toHaveLength(5)
  await expectAlert(/Failed to load customers\.The server is busy/)
  expect(performance.now() - answered).toBeGreaterThan(240)
  network.on('GET /api/customers', call => pageOf(server.records, call))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(showing('1 to 1 of 1')).toBeVisible()
})

test('an error without a message asks to try again', async () => {
  openCustomers([])
  network.on('GET /api/customers', () => errorResponse(500, ''))
  await expect
    .element(page.getByRole('heading', { name: 'Failed to load customers. Please try again.' }))
    .toBeVisible()
})

test.each(['{Enter}', '{ArrowDown}'])(
  'at phone width %s opens the menu of a row and focuses its first item',
  async key => {
    await page.viewport(360, 740)
    const first = customer(1)
    openCustomers([first])
    const menu = page.getByRole('button', { name: `Actions for ${first.name}` })
    await expect.element(menu).toBeVisible()
    await userEvent.keyboard('{Tab}')
    menu.element().focus()
    await expect.element(menu).toHaveFocus()
    await userEvent.keyboard(key)
    await expect.element(page.getByRole('menuitem').first()).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(menu).toHaveFocus()
  },
)

test('at phone width a row opens, calls and mails, and has a menu of actions', async () => {
  await page.viewport(360, 740)
  const first = customer(1, { telephone: '+46 70-123' })
  const app = openCustomers([first, customer(2, { telephone: '' })])
  const list = page.getByRole('list', { name: 'Customers' })
  await expect
    .element(list.getByRole('link', { name: `Call ${first.name}` }))
    .toHaveAttribute('href', 'tel:+4670123')
  expect(list.getByRole('link', { name: /^Call/ }).elements()).toHaveLength(1)
  expect(list.getByRole('link', { name: /^Email/ }).elements()).toHaveLength(2)
  await expect
    .element(list.getByRole('link', { name: `Email ${first.name}` }))
    .toHaveAttribute('href', `mailto:${first.email}`)
  const menu = list.getByRole('button', { name: `Actions for ${first.name}` })
  await menu.click()
  await page.getByRole('menuitem', { name: `Edit ${first.name}` }).click()
  await expect.element(page.getByRole('dialog', { name: 'Edit Customer' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(menu).toHaveFocus()
  // The link covers the whole row.
  const row = list.getByRole('listitem').first()
  await row.click({ position: { x: 40, y: 50 } })
  await expect.poll(app.address).toBe(`/dashboard/customers/${first.customer_id}`)
})

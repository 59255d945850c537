import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import type { Dashboard } from '~/core'
import { delayResponse, errorResponse, network } from '~/test/network'
import { contactsResource, moduleResource, open, servePermissions, signInUser } from '~/test/open'
import { allPermissions, noPermissions, readPermission } from '~/test/rights'

const MONTHS = Array.from({ length: 12 }, (_, index) =>
  new Date(Date.UTC(2025, 11 + index)).toISOString().slice(0, 7),
)
const months = (count: (index: number) => number) =>
  MONTHS.map((month, index) => ({ month, count: count(index) }))

const whole: Dashboard = {
  invoices: {
    total: 1234,
    months: MONTHS.map((month, index) => ({ month, count: index, value: index * 1234.5 })),
    this_month: [0, 1000, 1000, 3000],
    last_month: [500, 500, 500, 2000, ...Array<number>(27).fill(9000)],
  },
  customers: {
    total: 56,
    months: months(index => index * 2),
    agreements: [{ agreement: 'Sales', count: 30 }, { agreement: 'Purchase', count: 20 }, { count: 6 }],
  },
  contacts: { total: 100_000, months: months(index => (index === 11 ? 98_765 : 0)) },
  imports: [
    {
      id: 'import-1',
      fileName: 'book.xlsx',
      status: 'completed',
      totalRecords: 1000,
      successRecords: 980,
      failedRecords: 20,
      leftOutRecords: 0,
      createdAt: '2026-11-20T08:00:00Z',
    },
  ],
  vehicles: {
    count: 12,
    priced: 11,
    value: 164_100,
    average_days: 41,
    ages: [
      { from: 0, to: 30, count: 5, value: 59_300 },
      { from: 31, to: 60, count: 4, value: 72_400 },
      { from: 61, to: 90, count: 2, value: 20_100 },
      { from: 91, count: 1, value: 12_300 },
    ],
    oldest: [
      {
        vehicle_id: 'v-1',
        name: 'Volvo V60, AB12 CDE',
        plate: 'AB12 CDE',
        registration_country: 'GB',
        status: 'Reserved',
        days: 141,
        asking_price: 12_300,
      },
    ],
  },
  agreements: {
    months: months(index => index),
    this_month: 11,
    last_month: 8,
    to_deliver: 2,
    offered: 1,
    exclusivity_due: 9,
    due: [
      {
        agreement_id: 'a-1',
        number: 'SA-1001',
        agreement_type: 'Sales',
        customer_name: 'Ada Öberg',
        vehicle_names: 'Volvo V60, AB12 CDE',
        due: 'Delivery',
        day: '2026-11-20',
      },
    ],
  },
}

const serveDashboard = (data: Dashboard) =>
  network.on('GET /api/dashboard', () => ({ body: { success: true, data } }))

function openDashboard(data: Dashboard = whole, rights = allPermissions) {
  signInUser(rights)
  serveDashboard(data)
  return open('/dashboard/admin')
}

const main = page.getByRole('main')
const chart = (name: string) => main.getByRole('region', { name })
const bars = (name: string) => [...chart(name).element().querySelectorAll<SVGElement>('[data-bar]')]
const expectBarCount = (name: string) => expect.poll(() => bars(name).length)
const addressOf = (link: Locator) => new URL(link.element().getAttribute('href') ?? '', location.href)
/** Returns the filter of the list to which a link leads. */
const filterOf = (link: Locator) => JSON.parse(addressOf(link).searchParams.get('filter') ?? '') as unknown

test.each(['/dashboard', '/dashboard/admin'])(
  '%s shows the dashboard with title and subtitle',
  async address => {
    signInUser()
    serveDashboard(whole)
    open(address)
    await expect.element(main.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await expect.element(main.getByText('Manage your dashboard')).toBeVisible()
    await expect.poll(() => document.title).toMatch(/^Dashboard · /)
  },
)

test('shows a loading state, then the total of all invoices', async () => {
  signInUser()
  const release = delayResponse('GET /api/dashboard', () => ({ body: { success: true, data: whole } }))
  open('/dashboard')
  await expect.element(main.getByRole('status')).toHaveTextContent('Loading')
  expect(main.getByText('Total Invoices').elements()).toHaveLength(0)
  release()
  await expect.element(main.getByRole('link', { name: 'Total Invoices 1,234' })).toBeVisible()
  expect(main.getByRole('status').elements()).toHaveLength(0)
})

test.each([
  ['The server is busy.', /Failed to load total invoices.*The server is busy\./],
  ['', /^Failed to load total invoices/],
])('a dashboard that failed to load shows the reason (%j) and a retry', async (message, said) => {
  signInUser()
  network.on('GET /api/dashboard', () => errorResponse(503, message))
  open('/dashboard')
  await expect.element(main.getByRole('alert')).toHaveTextContent(said)
  serveDashboard(whole)
  await main.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(main.getByText('Total Invoices')).toBeVisible()
})

test('each total links to its list', async () => {
  openDashboard()
  for (const [name, to] of [
    ['Total Invoices 1,234', '/dashboard/invoices'],
    ['Total customers 56', '/dashboard/customers'],
    ['Total contacts 100,000', '/dashboard/contacts'],
  ] as const) {
    await expect.element(main.getByRole('link', { name })).toHaveAttribute('href', to)
  }
})

test.each([
  ['invoices', ['Total Invoices'], ['Invoiced, this month against last', 'Invoices by month']],
  ['customers', ['Total customers'], ['Customers by month', 'Customers by agreement']],
  ['contacts', ['Total contacts'], ['Contacts by month']],
  ['imports', [], ['Latest imports']],
  ['vehicles', [], ['Stock by age']],
  ['agreements', [], ['Due', 'Vehicles sold by month']],
] as const)('a user who can only read %s sees only its figures', async (part, totals, parts) => {
  signInUser()
  servePermissions(contactsResource(readPermission))
  serveDashboard({ [part]: whole[part] })
  open('/dashboard')
  for (const name of parts) await expect.element(chart(name)).toBeVisible()
  expect(main.getByRole('region').elements()).toHaveLength(parts.length)
  const links = main.getByRole('list', { name: 'Totals' }).getByRole('listitem').elements()
  expect(links.map(link => link.textContent.replace(/[\d,]+$/, ''))).toEqual(totals)
})

test('what is due comes first', async () => {
  openDashboard()
  await expect.element(chart('Due')).toBeVisible()
  expect(main.getByRole('region').first().element()).toBe(chart('Due').element())
})

test('a chart has a proportional bar with its value for each month', async () => {
  openDashboard()
  await expectBarCount('Vehicles sold by month').toBe(12)
  const all = bars('Vehicles sold by month')
  expect(all.map(bar => bar.querySelector('title')?.textContent).slice(10)).toEqual([
    'Oct 2026: 10',
    'Nov 2026: 11',
  ])
  const height = (index: number) => all[index]?.querySelector('path')?.getBoundingClientRect().height ?? 0
  expect(height(10) / height(5)).toBeCloseTo(2, 1)
  expect(height(0)).toBe(0)
  expect(all[11]?.textContent).toContain('11')
})

test('a chart has an accessible table that can also be shown', async () => {
  openDashboard()
  const name = 'Invoices by month'
  await expectBarCount(name).toBe(12)
  expect(chart(name).element().querySelector('svg[viewBox^="0 0"][aria-hidden="true"]')).not.toBeNull()
  const table = chart(name).getByRole('table', { name })
  const box = () => table.element().parentElement?.getBoundingClientRect().width ?? 0
  await expect.element(table.getByRole('row', { name: 'Month Value Invoices' })).toBeInTheDocument()
  await expect.element(table.getByRole('row', { name: 'Nov 2026 £13,579.50 11' })).toBeInTheDocument()
  expect(box()).toBe(1)
  await chart(name)
    .getByRole('button', { name: `Show as table: ${name}` })
    .click()
  await expect.poll(box).toBeGreaterThan(200)
  expect(bars(name)).toHaveLength(0)
  await chart(name)
    .getByRole('button', { name: `Show as chart: ${name}` })
    .click()
  await expectBarCount(name).toBe(12)
})

test('the invoice chart shows amounts in pounds or counts', async () => {
  openDashboard()
  const name = 'Invoices by month'
  await expectBarCount(name).toBe(12)
  expect(bars(name)[11]?.querySelector('title')?.textContent).toBe('Nov 2026: £13,579.50')
  expect(bars(name)[11]?.textContent).toContain('£13.6K')
  const invoices = chart(name).getByRole('button', { name: 'Invoices', exact: true })
  await expect.element(invoices).toHaveAttribute('aria-pressed', 'false')
  await invoices.click()
  await expect.element(invoices).toHaveAttribute('aria-pressed', 'true')
  expect(bars(name)[11]?.textContent).toContain('11')
})

test('what was invoiced is compared with last month up to the same day', async () => {
  openDashboard()
  const figure = main.getByRole('link', { name: /^Invoiced this month/ })
  await expect
    .element(figure)
    .toHaveTextContent('Invoiced this month£3Kup by 50%£2K by the same day last month')
  const name = 'Invoiced, this month against last'
  await expect.poll(() => chart(name).element().querySelectorAll('[data-line]').length).toBe(1)
  const table = chart(name).getByRole('table', { name })
  await expect
    .element(table.getByRole('row', { name: 'Total up to day November October' }))
    .toBeInTheDocument()
  await expect.element(table.getByRole('row', { name: '4 £3,000 £2,000', exact: true })).toBeInTheDocument()
  // The fifth is to come.
  await expect.element(table.getByRole('row', { name: '5 £9,000', exact: true })).toBeInTheDocument()
  expect(table.getByRole('row').elements()).toHaveLength(32)
})

test.each([
  ['less than half a percent', [1000, 1001], '£1K£1K'],
  ['more than 1,000 %', [1000, 11_010], '£11K£1K'],
])('a change of %s is not shown', async (_, this_month, amounts) => {
  openDashboard({ ...whole, invoices: { total: 1, months: [], this_month, last_month: [1000, 1000] } })
  await expect
    .element(main.getByRole('link', { name: /^Invoiced this month/ }))
    .toHaveTextContent(`Invoiced this month${amounts} by the same day last month`)
})

test('the value of one vehicle is described in the singular', async () => {
  openDashboard({ ...whole, vehicles: whole.vehicles && { ...whole.vehicles, priced: 1 } })
  await expect
    .element(main.getByRole('link', { name: /^Stock value/ }))
    .toHaveTextContent(/£164K1 vehicle at its asking price$/)
})

test('stock and sales are shown with links to their lists', async () => {
  openDashboard()
  const figure = (name: RegExp) => main.getByRole('link', { name })
  await expect.element(figure(/^Sold this month/)).toHaveTextContent(/11up by 38 by the same day last month$/)
  await expect
    .element(figure(/^Stock value/))
    .toHaveTextContent(/£164K11 vehicles at their asking prices, consigned ones included$/)
  const inStock = { field: 'status', op: 'in', value: ['In stock', 'Reserved'] }
  expect(filterOf(figure(/^Stock value/))).toEqual([inStock, { field: 'asking_price', op: 'is_not_empty' }])
  await expect
    .element(figure(/^Days in stock, average/))
    .toHaveTextContent(/411 vehicle for more than 90 days$/)
  const stock = chart('Stock by age')
  await expect.element(stock.getByText('Over 90 days')).toBeVisible()
  await expect.element(stock.getByText('31 to 60 days')).toBeVisible()
  const oldest = stock.getByRole('listitem')
  await expect.element(oldest).toHaveTextContent(/^Volvo V60.*Reserved141 days£12,300$/)
  await expect.element(oldest.getByRole('link')).toHaveAttribute('href', '/dashboard/vehicles/v-1')
  expect(filterOf(stock.getByRole('link', { name: 'Open as list' }))).toEqual([inStock])
  expect(stock.getByText('Unknown').elements()).toHaveLength(0)
})

test('the figures of this month open the lists of what they count', async () => {
  openDashboard()
  const invoiced = main.getByRole('link', { name: /^Invoiced this month/ })
  await expect.element(invoiced).toBeVisible()
  const month = ['month', 'today']
  expect(addressOf(invoiced).pathname).toBe('/dashboard/invoices')
  expect(filterOf(invoiced)).toEqual([{ field: 'startDate', op: 'between', value: month }])
  const sold = main.getByRole('link', { name: /^Sold this month/ })
  expect(addressOf(sold).pathname).toBe('/dashboard/agreements')
  expect(filterOf(sold)).toEqual([
    { field: 'delivered_on', op: 'between', value: month },
    { field: 'state', op: 'in', value: ['Delivered', 'Closed'] },
    { field: 'out_total', op: 'gt', value: 0 },
  ])
})

test('a dashboard with only agreements, none of which is due, shows what was sold', async () => {
  signInUser()
  servePermissions(contactsResource(readPermission))
  const { agreements } = whole
  serveDashboard({
    agreements: agreements && { ...agreements, due: [], to_deliver: 0, offered: 0, exclusivity_due: 0 },
  })
  open('/dashboard')
  await expect.element(chart('Vehicles sold by month')).toBeVisible()
})

test('what is due leads to its agreement', async () => {
  openDashboard()
  const due = chart('Due')
  await expect
    .element(due.getByRole('link', { name: 'Hand over Volvo V60, AB12 CDE' }))
    .toHaveAttribute('href', '/dashboard/agreements/a-1')
  await expect.element(due.getByText('Ada Öberg · SA-1001 · signed Nov 20, 2026')).toBeVisible()
  const toDeliver = due.getByRole('link', { name: '2 agreements to deliver' })
  await expect.element(toDeliver).toBeVisible()
  expect(filterOf(toDeliver)).toEqual([
    { field: 'state', op: 'is', value: 'Signed' },
    { field: 'type', op: 'is_not', value: 'Agency' },
  ])
  const exclusive = due.getByRole('link', { name: '9 exclusivities end soon' })
  expect(addressOf(exclusive).pathname).toBe('/dashboard/agreements')
  expect(filterOf(exclusive)).toEqual([
    { field: 'state', op: 'in', value: ['Offered', 'Signed'] },
    { field: 'exclusive_until', op: 'between', value: ['today', 'today+7'] },
  ])
  const offered = due.getByRole('link', { name: '1 offer without an answer' })
  expect(filterOf(offered)).toEqual([{ field: 'state', op: 'is', value: 'Offered' }])
})

test('the agreement chart includes customers without an agreement', async () => {
  openDashboard()
  await expectBarCount('Customers by agreement').toBe(3)
  const said = bars('Customers by agreement').map(bar => bar.textContent)
  expect(said).toEqual(['Sales30', 'Purchase20', 'No agreement6'])
})

test('an empty chart says that there is no data', async () => {
  openDashboard({ imports: whole.imports, contacts: { total: 5, months: months(() => 0) } })
  await expect.element(chart('Contacts by month')).toHaveTextContent('No data in these 12 months.')
  expect(chart('Contacts by month').getByRole('button').elements()).toHaveLength(0)
})

test('new customers and contacts share a chart', async () => {
  openDashboard()
  const name = 'New customers and contacts by month'
  await expectBarCount(name).toBe(12)
  expect(bars(name)[11]?.textContent).toContain('22')
  await chart(name).getByRole('button', { name: 'Contacts', exact: true }).click()
  await expect.poll(() => bars(name)[11]?.textContent).toContain('99K')
})

test('the latest imports show their results', async () => {
  openDashboard()
  const row = chart('Latest imports').getByRole('listitem')
  await expect
    .element(row)
    .toHaveTextContent(/book\.xlsx980 of 1,000 rows imported, 20 with problems.*Completed/)
  await expect.element(row.getByText('Completed')).toHaveClass('text-warning')
  await expect.element(row.getByRole('time')).toHaveAttribute('datetime', '2026-11-20T08:00:00Z')
})

test('a user without permissions reads that the administrator can give them some', async () => {
  openDashboard({}, noPermissions)
  await expect.element(main.getByText("You don't have access to any modules yet")).toBeVisible()
  await expect.element(main.getByText(/Ask your administrator/)).toBeVisible()
})

test('a user without figures sees links to their modules', async () => {
  signInUser()
  servePermissions(moduleResource('users', 'Users Management', readPermission))
  open('/dashboard')
  await expect
    .element(main.getByRole('link', { name: 'Users Management' }))
    .toHaveAttribute('href', '/dashboard/users')
})

test('on a phone the bars are horizontal and nothing overflows', async () => {
  await page.viewport(360, 740)
  try {
    openDashboard({ contacts: whole.contacts })
    await expectBarCount('Contacts by month').toBe(12)
    expect(bars('Contacts by month')[11]?.textContent).toBe('Nov 202698,765')
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    const edge = chart('Contacts by month').element().getBoundingClientRect().right
    for (const bar of bars('Contacts by month')) {
      expect(bar.getBoundingClientRect().right).toBeLessThanOrEqual(edge)
    }
  } finally {
    await page.viewport(1280, 800)
  }
})

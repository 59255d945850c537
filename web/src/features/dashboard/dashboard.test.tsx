import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
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
      createdAt: '2026-11-20T08:00:00Z',
    },
  ],
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
    ['Total Customers 56', '/dashboard/customers'],
    ['Total Contacts 100,000', '/dashboard/contacts'],
  ] as const) {
    await expect.element(main.getByRole('link', { name })).toHaveAttribute('href', to)
  }
})

test.each([
  ['invoices', ['Total Invoices'], ['Invoices by month']],
  ['customers', ['Total Customers'], ['Customers by month', 'Customers by agreement']],
  ['contacts', ['Total Contacts'], ['Contacts by month']],
  ['imports', [], ['Latest imports']],
] as const)('a user who can only read %s sees only its figures', async (part, totals, parts) => {
  openDashboard({ [part]: whole[part] })
  for (const name of parts) await expect.element(chart(name)).toBeVisible()
  expect(main.getByRole('region').elements()).toHaveLength(parts.length)
  const links = main.getByRole('list', { name: 'Totals' }).getByRole('listitem').elements()
  expect(links.map(link => link.textContent.replace(/[\d,]+$/, ''))).toEqual(totals)
})

test('a chart has a proportional bar with its value for each month', async () => {
  openDashboard()
  await expectBarCount('Customers by month').toBe(12)
  const all = bars('Customers by month')
  expect(all.map(bar => bar.querySelector('title')?.textContent).slice(10)).toEqual([
    'Oct 2026: 20',
    'Nov 2026: 22',
  ])
  const height = (index: number) => all[index]?.querySelector('path')?.getBoundingClientRect().height ?? 0
  expect(height(10) / height(5)).toBeCloseTo(2, 1)
  expect(height(0)).toBe(0)
  expect(all[11]?.textContent).toContain('22')
})

test('a chart has an accessible table that can also be shown', async () => {
  openDashboard()
  const name = 'Invoices by month'
  await expectBarCount(name).toBe(12)
  expect(chart(name).element().querySelector('svg[viewBox^="0 0"][aria-hidden="true"]')).not.toBeNull()
  const table = chart(name).getByRole('table', { name })
  const box = () => table.element().parentElement?.getBoundingClientRect().width ?? 0
  await expect.element(table.getByRole('row', { name: 'Month Invoices Value' })).toBeInTheDocument()
  await expect.element(table.getByRole('row', { name: 'Nov 2026 11 £13,579.50' })).toBeInTheDocument()
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

test('the invoice chart shows counts or amounts in pounds', async () => {
  openDashboard()
  const name = 'Invoices by month'
  await expectBarCount(name).toBe(12)
  const value = chart(name).getByRole('button', { name: 'Value' })
  await expect.element(value).toHaveAttribute('aria-pressed', 'false')
  expect(bars(name)[11]?.textContent).toContain('11')
  await value.click()
  await expect.element(value).toHaveAttribute('aria-pressed', 'true')
  expect(bars(name)[11]?.querySelector('title')?.textContent).toBe('Nov 2026: £13,579.50')
  expect(bars(name)[11]?.textContent).toContain('£14K')
})

test('the agreement chart includes customers without an agreement', async () => {
  openDashboard()
  await expectBarCount('Customers by agreement').toBe(3)
  const said = bars('Customers by agreement').map(bar => bar.textContent)
  expect(said).toEqual(['Sales30', 'Purchase20', 'No agreement6'])
})

test('an empty chart says that there is no data', async () => {
  openDashboard({ ...whole, contacts: { total: 5, months: months(() => 0) } })
  await expect.element(chart('Contacts by month')).toHaveTextContent('No data in these 12 months.')
  expect(chart('Contacts by month').getByRole('button').elements()).toHaveLength(0)
})

test('the latest imports show their results', async () => {
  openDashboard()
  const row = chart('Latest imports').getByRole('listitem')
  await expect.element(row).toHaveTextContent(/book\.xlsx980 of 1,000 rows imported, 20 failed.*Completed/)
  await expect.element(row.getByRole('time')).toHaveAttribute('datetime', '2026-11-20T08:00:00Z')
})

const fresh: Dashboard = {
  invoices: { total: 0, months: MONTHS.map(month => ({ month, count: 0, value: 0 })) },
  contacts: { total: 0, months: months(() => 0) },
  imports: [],
}

test('a new corporation sees first steps instead of empty charts', async () => {
  openDashboard(fresh)
  await expect.element(main.getByRole('link', { name: 'Total Invoices 0' })).toBeVisible()
  await expect.element(main.getByText('Your numbers will appear here')).toBeVisible()
  await expect
    .element(main.getByRole('link', { name: 'Import Contacts' }))
    .toHaveAttribute('href', '/dashboard/contacts/imports/new')
  expect(main.getByText(/by month$/).elements()).toHaveLength(0)
})

test('platform administrators see a link to the corporations', async () => {
  signInUser()
  const corporations = moduleResource('corporations', 'Corporations', allPermissions)
  servePermissions(contactsResource(allPermissions), corporations)
  serveDashboard(fresh)
  open('/dashboard')
  await expect
    .element(main.getByRole('link', { name: 'Go to Corporations' }))
    .toHaveAttribute('href', '/dashboard/corporations')
  expect(main.getByRole('link', { name: 'Import Contacts' }).elements()).toHaveLength(0)
})

test('a user with only read permission sees no create actions', async () => {
  openDashboard(fresh, readPermission)
  await expect.element(main.getByText('Your numbers will appear here')).toBeVisible()
  await expect.element(main.getByText(/Once customers, contacts or invoices are added/)).toBeVisible()
  expect(main.getByRole('link', { name: /Import|Add|Create/ }).elements()).toHaveLength(0)
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
    openDashboard()
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

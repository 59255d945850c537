import { expect, onTestFinished, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import type { Dashboard, OldVehicle } from '~/core'
import { network } from '~/test/network'
import { open, signInUser } from '~/test/open'

const vehicle = (days: number): OldVehicle => ({
  vehicle_id: `v-${days}`,
  name: 'Volvo V60, AB12 CDE',
  plate: 'AB12 CDE',
  registration_country: 'GB',
  status: 'In stock',
  days,
  asking_price: 12_300,
})

/** Returns the filter of the list to which a link leads. */
const filterOf = (link: Locator): unknown => {
  const address = new URL(link.element().getAttribute('href') ?? '', location.href)
  return JSON.parse(address.searchParams.get('filter') ?? '')
}

test('a vehicle that is in stock for one day has its days in the singular', async () => {
  signInUser()
  const data: Dashboard = {
    vehicles: {
      count: 2,
      priced: 2,
      value: 24_600,
      average_days: 2,
      ages: [
        { from: 0, to: 90, count: 2, value: 24_600 },
        { from: 91, count: 0, value: 0 },
      ],
      oldest: [vehicle(2), vehicle(1)],
    },
  }
  network.on('GET /api/dashboard', () => ({ body: { success: true, data } }))
  open('/dashboard')
  const oldest = page.getByRole('region', { name: 'Stock by age' }).getByRole('listitem')
  await expect.element(oldest.first()).toHaveTextContent(/2 days£12,300$/)
  await expect.element(oldest.last()).toHaveTextContent(/1 day£12,300$/)
})

test('vehicles in stock since an unknown day are shown apart, so that the numbers add up', async () => {
  signInUser()
  const data: Dashboard = {
    vehicles: {
      count: 3,
      priced: 3,
      value: 36_900,
      average_days: 2,
      ages: [{ from: 0, count: 2, value: 24_600 }],
      unknown: { count: 1, value: 12_300 },
      oldest: [vehicle(2), vehicle(1)],
    },
  }
  network.on('GET /api/dashboard', () => ({ body: { success: true, data } }))
  open('/dashboard')
  const unknown = page.getByRole('region', { name: 'Stock by age' }).getByRole('link', { name: 'Unknown' })
  await expect.element(unknown).toBeVisible()
  expect(unknown.element().closest('dt')?.nextElementSibling?.textContent).toBe('1 £12.3K')
  expect(filterOf(unknown)).toEqual([
    { field: 'status', op: 'in', value: ['In stock', 'Reserved'] },
    { field: 'in_stock_on', op: 'is_empty' },
  ])
})

test('each age opens the list of its vehicles, and the average opens the oldest ones', async () => {
  signInUser()
  const data: Dashboard = {
    vehicles: {
      count: 6,
      priced: 6,
      value: 73_800,
      average_days: 50,
      ages: [
        { from: 0, to: 30, count: 1, value: 12_300 },
        { from: 31, to: 60, count: 2, value: 24_600 },
        { from: 61, to: 90, count: 0, value: 0 },
        { from: 91, count: 3, value: 36_900 },
      ],
      oldest: [vehicle(141)],
    },
  }
  network.on('GET /api/dashboard', () => ({ body: { success: true, data } }))
  open('/dashboard')
  const card = page.getByRole('region', { name: 'Stock by age' })
  const age = (name: string) => card.getByRole('link', { name })
  await expect.element(age('Over 90 days')).toBeVisible()
  const since = (op: string, value: unknown) => [
    { field: 'status', op: 'in', value: ['In stock', 'Reserved'] },
    { field: 'in_stock_on', op, value },
  ]
  expect(filterOf(age('0 to 30 days'))).toEqual(since('gte', 'today-30'))
  expect(filterOf(age('31 to 60 days'))).toEqual(since('between', ['today-60', 'today-31']))
  expect(age('61 to 90 days').elements(), 'no vehicle has this age').toHaveLength(0)
  expect(filterOf(age('Over 90 days'))).toEqual(since('lte', 'today-91'))
  const average = page.getByRole('link', { name: /^Days in stock, average/ })
  expect(filterOf(average)).toEqual(since('lte', 'today-91'))
})

test('at 1024 px a vehicle has one line, also with a long name', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1024, 768)
  signInUser()
  const name = 'Mercedes-Benz Sprinter 319 CDI Kastenwagen, AB12 CDE'
  const reserved: OldVehicle = { ...vehicle(234), name, status: 'Reserved', asking_price: 1_123_300 }
  const ages = [{ from: 0, count: 2, value: 24_600 }]
  const data: Dashboard = {
    agreements: {
      months: [],
      this_month: 1,
      last_month: 0,
      to_deliver: 0,
      offered: 0,
      exclusivity_due: 0,
      due: [],
    },
    vehicles: { count: 2, priced: 2, value: 24_600, average_days: 2, ages, oldest: [reserved, vehicle(1)] },
  }
  network.on('GET /api/dashboard', () => ({ body: { success: true, data } }))
  open('/dashboard')
  const card = page.getByRole('region', { name: 'Stock by age' })
  const row = card.getByRole('listitem').first()
  await expect.element(row).toHaveTextContent(/Reserved234 days£1,123,300$/)
  expect(card.element().clientWidth, 'the card is beside another one').toBeLessThan(500)
  const boxes = [...row.element().children].map(part => part.getBoundingClientRect())
  const bottom = Math.min(...boxes.map(box => box.bottom))
  for (const box of boxes) expect(box.top, 'each part is on the first line').toBeLessThan(bottom)
  expect(row.element().scrollWidth).toBe(row.element().clientWidth)
  expect(row.getByRole('link').element().clientWidth, 'the name is legible').toBeGreaterThan(50)
})

test('three figures fill the row', async () => {
  signInUser()
  const data: Dashboard = {
    agreements: {
      months: [{ month: '2026-11', count: 11 }],
      this_month: 11,
      last_month: 8,
      to_deliver: 0,
      offered: 0,
      exclusivity_due: 0,
      due: [],
    },
    vehicles: { count: 0, priced: 0, value: 0, ages: [], oldest: [] },
  }
  network.on('GET /api/dashboard', () => ({ body: { success: true, data } }))
  open('/dashboard')
  const figures = page.getByRole('list', { name: 'Figures' })
  await expect.element(figures.getByRole('listitem').last()).toBeVisible()
  const right = (element: Element) => element.getBoundingClientRect().right
  expect(right(figures.getByRole('listitem').last().element())).toBeCloseTo(right(figures.element()) - 1, 0)
})

import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Vehicle } from '~/core'
import { disconnect } from '~/test/connection'
import { deferred, delayResponse, errorResponse, network } from '~/test/network'
import { textsOf } from '~/test/open'
import { expectNoCosts, openVehicles, savedBodies, vehicle } from '~/test/vehicles'

const column = (name: string) => page.getByRole('region', { name, exact: true })
const links = (name: string) => textsOf(column(name).getByRole('link'))

/** Opens the board with these vehicles. Those of a status load once its promise in `delays` has resolved. */
function openBoard(
  all: Vehicle[],
  address = '/dashboard/vehicles?layout=board',
  delays: Record<string, Promise<void>> = {},
) {
  const app = openVehicles(all, address)
  network.on('GET /api/vehicles', async ({ query }) => {
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20)]
    const conditions = JSON.parse(query.get('filter') ?? '[]') as { field: string; value: string }[]
    const status = conditions.find(({ field }) => field === 'status')?.value
    if (status) await delays[status]
    const found = all.filter(each => !status || each.status === status)
    const data = found.slice((page - 1) * limit, page * limit)
    const totalPages = Math.ceil(found.length / limit)
    return { body: { success: true, data, totalItems: found.length, totalPages } }
  })
  network.on('PUT /api/vehicles/v-1', ({ body }) => {
    const changed = { ...all[0], ...(body as Partial<Vehicle>) } as Vehicle
    const { in_stock_on: _, ...saved } = changed
    all[0] = { ...saved, mileage: 23400, asking_price: 18995 }
    return { body: { success: true, message: '', data: all[0] } }
  })
  return app
}

/** Today less this number of days, in the browser's time zone. */
function daysAgo(days: number): string {
  const then = new Date()
  then.setHours(12)
  then.setDate(then.getDate() - days)
  return then.toISOString().slice(0, 10)
}

const inStock = () => [vehicle(1), vehicle(2, { status: 'Reserved', model: 'V90' })]

async function moveTo(status: string) {
  await page.getByRole('button', { name: 'Move Volvo V60, AB12 CDB' }).click()
  await page.getByRole('menuitem', { name: status }).click()
}

/** Drags a card to a column, by the events that a mouse causes. */
function drag(card: Element | null, to: Element) {
  const dataTransfer = new DataTransfer()
  const send = (target: Element | null, type: string) =>
    target?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  send(card, 'dragstart')
  return { drop: () => [send(to, 'dragover'), send(to, 'drop'), send(card, 'dragend')] }
}

test("the board has a column for each status with its total price, and keeps the list's search", async () => {
  openBoard(inStock(), '/dashboard/vehicles?layout=board&search=Volvo')
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V90'])
  await expect.element(column('In stock').getByText('£18,995').first()).toBeVisible()
  const searched = network.requests('/api/vehicles').map(({ query }) => query.get('search'))
  expect(new Set(searched)).toEqual(new Set(['Volvo']))
  await expect
    .element(page.getByRole('button', { name: /Withdrawn/ }))
    .toHaveAttribute('aria-expanded', 'false')
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect.element(page.getByRole('table')).toBeVisible()
})

test('a column is shown once it has loaded, and a card can be moved before the slowest column has', async () => {
  const { wait, release } = deferred()
  openBoard(inStock(), undefined, { Sold: wait })
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V90'])
  const sent = delayResponse('PUT /api/vehicles/v-1', () => errorResponse(409, 'Changed.'))
  await moveTo('Reserved')
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V60', 'Volvo V90'])
  release()
  await expect.element(column('Sold').getByText('None', { exact: true })).toBeVisible()
  expect(links('Reserved')).toEqual(['Volvo V60', 'Volvo V90'])
  sent()
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V90'])
})

test('a vehicle that another user moves while the columns load is shown only where it is newest', async () => {
  const { wait, release } = deferred()
  const all = inStock()
  openBoard(all, undefined, { Reserved: wait })
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  all[0] = vehicle(1, { status: 'Reserved', version: 5 })
  release()
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V60', 'Volvo V90'])
  expect(links('In stock')).toEqual([])
  await expect.element(column('In stock').getByText('None', { exact: true })).toBeVisible()
})

test('a card that is moved while its old column loads again is shown only in the new one', async () => {
  const all = inStock()
  const delays: Record<string, Promise<void>> = {}
  openBoard(all, undefined, delays)
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V90'])
  const { wait, release } = deferred()
  delays['In stock'] = wait
  all.push(vehicle(3, { status: 'Reserved', model: 'S60' }), vehicle(4, { model: 'V40' }))
  const tab = new BroadcastChannel('forecourt-live u1')
  onTestFinished(() => tab.close())
  tab.postMessage({ type: 'changed', resource: 'vehicles', ids: ['v-3', 'v-4'], action: 'created', by: 'u2' })
  await page.getByRole('button', { name: '2 changes · Show' }).click()
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V90', 'Volvo S60'])
  const save = delayResponse('PUT /api/vehicles/v-1', () => {
    all[0] = vehicle(1, { status: 'Reserved', version: 5 })
    return { body: { success: true, message: '', data: all[0] } }
  })
  await moveTo('Reserved')
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V60', 'Volvo V90', 'Volvo S60'])
  release()
  await expect.poll(() => links('In stock')).toEqual(['Volvo V40'])
  expect(links('Reserved')).toContain('Volvo V60')
  save()
})

test('the figures of a column are those of all its vehicles, and sold vehicles have none', async () => {
  openBoard([
    ...Array.from({ length: 120 }, (_, index) => vehicle(index + 1, { asking_price: 1000 })),
    vehicle(121, { status: 'Sold', asking_price: 5000 }),
    vehicle(122, { status: 'Expected', asking_price: 2000 }),
  ])
  const header = (name: string) => column(name).element().querySelector('header')?.textContent
  await expect.element(column('In stock').getByText('90 more')).toBeVisible()
  await expect.poll(() => header('In stock')).toBe('In stock120£120,000')
  await expect.poll(() => header('Expected')).toBe('Expected1£2,000')
  await expect.poll(() => header('Sold')).toBe('Sold1')
  expect(page.getByRole('button', { name: 'Columns' }).elements()).toHaveLength(0)
})

test('the headers of the columns have the same height, with and without figures', async () => {
  openBoard([
    vehicle(1, { in_stock_on: daysAgo(10) }),
    vehicle(2, { status: 'Reserved', asking_price: undefined }),
  ])
  await expect.element(column('In stock').getByText('10 days on average')).toBeVisible()
  const heights = ['Expected', 'In stock', 'Reserved'].map(
    name => column(name).element().querySelector('header')?.getBoundingClientRect().height,
  )
  expect(new Set(heights)).toEqual(new Set([44]))
})

test('the menu of a card moves the vehicle to a status that may follow, and keeps the focus', async () => {
  openBoard(inStock())
  await page.getByRole('button', { name: 'Move Volvo V60, AB12 CDB' }).click()
  await expect.poll(() => textsOf(page.getByRole('menuitem'))).toEqual(['Reserved', 'Withdrawn'])
  await userEvent.keyboard('{Escape}')
  await moveTo('Reserved')
  await expect.poll(() => links('Reserved')).toContain('Volvo V60')
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toMatchObject([{ status: 'Reserved', version: 4 }])
  expectNoCosts(savedBodies('PUT', '/api/vehicles/v-1')[0])
  await expect.element(page.getByRole('button', { name: 'Move Volvo V60, AB12 CDB' })).toHaveFocus()
})

test.each([
  ['the card below', [vehicle(1), vehicle(2)], 'Move Volvo V60, AB12 CDC'],
  ['the column', [vehicle(1)], /^Withdrawn/],
] as const)('after a move to the collapsed column, %s has the focus', async (_, all, name) => {
  openBoard([...all])
  await moveTo('Withdrawn')
  await expect.element(page.getByRole('button', { name })).toHaveFocus()
})

test('the buttons that expand and hide a column give each other the focus', async () => {
  openBoard(inStock())
  const expand = page.getByRole('button', { name: /^Withdrawn/ })
  const hide = page.getByRole('button', { name: 'Hide', exact: true })
  await expand.click()
  await expect.element(hide).toHaveFocus()
  await hide.click()
  await expect.element(expand).toHaveFocus()
})

test("a vehicle that arrives is in stock since today in the browser's time zone", async () => {
  openBoard([vehicle(1, { status: 'Expected' })])
  await moveTo('In stock')
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toMatchObject([{ in_stock_on: daysAgo(0) }])
})

test('on a phone with twice the text size, the choice of list or board is no wider than the page', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(180, 370)
  openVehicles([vehicle(1)])
  const links = page.getByRole('navigation', { name: 'Layout' })
  await expect.element(links).toBeVisible()
  expect(links.element().getBoundingClientRect().right).toBeLessThanOrEqual(180 - 16)
})

test.each([
  [360, 740],
  [1440, 900],
])('a card that was moved by its menu is in view, at %i px', async (width, height) => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(width, height)
  const others = Array.from({ length: 24 }, (_, index) => vehicle(index + 2, { status: 'Reserved' }))
  const all = [vehicle(1), ...others]
  openBoard(all)
  network.on('PUT /api/vehicles/v-1', () => {
    const saved = vehicle(1, { status: 'Reserved', version: 5 })
    all.splice(0, all.length, ...others, saved)
    return { body: { success: true, message: '', data: saved } }
  })
  await moveTo('Reserved')
  await expect.poll(() => links('Reserved').indexOf('Volvo V60')).toBe(0)
  const card = () => page.getByRole('button', { name: 'Move Volvo V60, AB12 CDB' }).element().closest('li')
  await expect.poll(() => card()?.nextElementSibling).toBeNull()
  const edges = () => card()?.getBoundingClientRect()
  await expect.poll(() => edges()?.bottom).toBeLessThanOrEqual(height)
  // The header of the page covers the first 56 px.
  expect(edges()?.top).toBeGreaterThanOrEqual(56)
  expect(edges()?.left).toBeGreaterThanOrEqual(0)
  expect(edges()?.right).toBeLessThanOrEqual(width)
})

test('a moved card does not take the focus from the search', async () => {
  const all = inStock()
  openBoard(all)
  const release = delayResponse('PUT /api/vehicles/v-1', () => {
    all[0] = vehicle(1, { status: 'Reserved', version: 5 })
    return { body: { success: true, message: '', data: all[0] } }
  })
  await moveTo('Reserved')
  await expect.poll(() => links('Reserved')).toContain('Volvo V60')
  const search = page.getByRole('searchbox')
  await search.click()
  await userEvent.keyboard('V')
  const lists = () => network.requests('/api/vehicles').length
  const before = lists()
  release()
  // After the move, the list is requested again.
  await expect.poll(lists).toBeGreaterThan(before)
  await userEvent.keyboard('90')
  await expect.element(search).toHaveFocus()
  await expect.element(search).toHaveValue('V90')
})

test('a card that is dropped on a status that may not follow stays, and the reason is shown', async () => {
  openBoard(inStock())
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  await expect.element(page.getByRole('button', { name: 'Move Volvo V60, AB12 CDB' })).toBeVisible()
  const card = column('In stock').getByRole('listitem').element()
  const dragged = drag(card, column('Sold').element())
  await expect.poll(() => card.className).toContain('opacity-40')
  dragged.drop()
  await expect
    .element(column('Sold').getByText('A vehicle becomes sold when its agreement is delivered.'))
    .toBeVisible()
  expect(links('In stock')).toEqual(['Volvo V60'])
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toHaveLength(0)
  await column('Sold').getByRole('button', { name: 'OK' }).click()
  expect(column('Sold').getByText('A vehicle becomes sold').elements()).toHaveLength(0)
})

test('if another user has changed the vehicle, a moved card goes back and a message says why', async () => {
  openBoard(inStock())
  network.on('PUT /api/vehicles/v-1', () =>
    errorResponse(409, 'Changed.', { data: vehicle(1, { version: 5 }) }),
  )
  await moveTo('Reserved')
  await expect
    .element(column('Reserved').getByText('Someone else changed this vehicle.', { exact: false }))
    .toBeVisible()
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  const moveButton = column('In stock').getByRole('button', { name: 'Move Volvo V60, AB12 CDB' })
  await expect.element(moveButton).toHaveFocus()
  await column('Reserved').getByRole('button', { name: 'OK' }).click()
  await expect.element(moveButton).toHaveFocus()
})

test('without a connection, Back shows the columns of before, and a card that is moved goes back', async () => {
  const { go, visit } = openBoard(inStock())
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  await visit('/dashboard/nothing')
  await expect.poll(() => links('In stock')).toEqual([])
  disconnect('GET /api/vehicles', 'GET /api/views', 'PUT /api/vehicles/v-1')
  await go(-1)
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  await expect.poll(() => links('Reserved')).toEqual(['Volvo V90'])
  expect(page.getByRole('alert').elements()).toHaveLength(0)
  const isBusy = () => column('In stock').element().closest('[aria-busy]')?.getAttribute('aria-busy')
  await expect.poll(isBusy).toBe('true')
  for (const status of ['Reserved', 'Withdrawn']) {
    await moveTo(status)
    await expect.element(column(status).getByRole('alert')).toBeVisible()
    await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  }
})

test('a column says for how many days its vehicles have been in stock on average', async () => {
  openBoard([vehicle(1, { in_stock_on: daysAgo(10) }), vehicle(2, { in_stock_on: daysAgo(3) }), vehicle(3)])
  await expect.element(column('In stock').getByText('7 days on average')).toBeVisible()
  expect(
    column('Reserved')
      .getByText(/on average/)
      .elements(),
  ).toHaveLength(0)
})

test('a second move of a card waits for the first, and is based on what it saved', async () => {
  const all = inStock()
  openBoard(all)
  const path = 'PUT /api/vehicles/v-1'
  const sent = () => savedBodies('PUT', '/api/vehicles/v-1').map(({ status, version }) => [status, version])
  const save = (status: Vehicle['status'], version: number) => {
    all[0] = vehicle(1, { status, version })
    return { body: { success: true, message: '', data: all[0] } }
  }
  const release = delayResponse(path, () => save('Reserved', 5))
  await moveTo('Reserved')
  await expect.poll(sent).toEqual([['Reserved', 4]])
  await moveTo('In stock')
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  network.on(path, () => save('In stock', 6))
  release()
  await expect.poll(sent).toEqual([
    ['Reserved', 4],
    ['In stock', 5],
  ])
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  expect(page.getByText('Someone else changed this vehicle.', { exact: false }).elements()).toHaveLength(0)
})

test('a move after one that failed is not sent', async () => {
  openBoard(inStock())
  const release = delayResponse('PUT /api/vehicles/v-1', () => errorResponse(409, 'Changed.'))
  await moveTo('Reserved')
  await moveTo('In stock')
  release()
  await expect
    .element(column('Reserved').getByText('Someone else changed this vehicle.', { exact: false }))
    .toBeVisible()
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toHaveLength(1)
})

test('on a phone, nothing can be selected on the board, and the selection of the list ends', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openBoard(inStock(), '/dashboard/vehicles')
  const bar = page.getByRole('region', { name: 'Selection' })
  const filter = page.getByRole('button', { name: 'Filter and sort' })
  await filter.click()
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Select Volvo V60, AB12 CDB' }).click()
  await expect.element(bar).toBeVisible()
  await page.getByRole('link', { name: 'Board', exact: true }).click()
  await expect.poll(() => links('In stock')).toEqual(['Volvo V60'])
  await expect.element(bar).not.toBeInTheDocument()
  await filter.click()
  await expect.element(page.getByRole('button', { name: 'Done', exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: 'Select', exact: true }).elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect.element(page.getByRole('list', { name: 'Vehicles' })).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
})

import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { storedValue } from '~/lib/storedValue'
import { today } from '~/lib/today'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, textsOf } from '~/test/open'
import { listOf } from '~/test/records'
import { openVehicles, savedBodies, vehicle } from '~/test/vehicles'

const field = (name: string) => page.getByLabelText(name, { exact: true })
const dialog = page.getByRole('dialog')
const create = dialog.getByRole('button', { name: 'Create vehicle' })
const more = dialog.getByRole('button', { name: /^More details/ })
const save = dialog.getByRole('button', { name: 'Save changes' })

async function openNew() {
  openVehicles([])
  await page.getByRole('button', { name: 'New vehicle' }).first().click()
  await expect.element(create).toBeVisible()
}

async function edit(more: Parameters<typeof vehicle>[1] = {}) {
  openVehicles([vehicle(1, more)])
  await page.getByRole('button', { name: 'Edit Volvo V60, AB12 CDB' }).click()
  await expect.element(save).toBeVisible()
}

test('a row shows the vehicle with its plate, mileage, price and status', async () => {
  openVehicles([vehicle(1), vehicle(2, { mileage: undefined, asking_price: undefined, status: 'Sold' })])
  await expect.element(page.getByRole('heading', { level: 1, name: 'Vehicles' })).toBeVisible()
  const rows = (name: RegExp) => page.getByRole('row', { name }).elements()
  const cells = (row: RegExp) => rows(row).flatMap(({ children }) => [...children].slice(1, 8))
  // The registration number is shown with a space once the wasm rules of lists have loaded.
  await expect
    .poll(() => cells(/^Select Volvo V60, AB12 CDB/).map(cell => cell.textContent))
    .toEqual(['Volvo V60, AB12\u00a0CDB', 'GB AB12 CDB', 'S-1001', '23,400 mi', 'N/A', '£18,995', 'In stock'])
  expect(cells(/^Select Volvo V60, AB12 CDC/).map(cell => cell.textContent)).toEqual([
    'Volvo V60, AB12\u00a0CDC',
    'GB AB12 CDC',
    'S-1002',
    'N/A',
    'N/A',
    'N/A',
    'Sold',
  ])
})

test('a day in stock that is in the future is an error of its field', async () => {
  await edit()
  await field('In stock since').fill('2999-01-01')
  await save.click()
  await expect.element(field('In stock since')).toHaveAccessibleDescription("The day can't be in the future.")
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toHaveLength(0)
})

test('costs that were not changed are not sent, as the user may have lost the permission to see them', async () => {
  const costs = [{ date: '2026-11-20', kind: 'Tyres' as const, net: 111.5, vat: 27.88, note: '' }]
  await edit({ purchase_price: 2380, minimum_price: 2790, costs })
  await field('Purchase price').fill('2000')
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [saved] = savedBodies('PUT', '/api/vehicles/v-1')
  expect(saved).toMatchObject({ purchase_price: '2000' })
  for (const name of ['minimum_price', 'costs']) expect(saved).not.toHaveProperty(name)
})

test('a phone shows the days in stock with the status, and without it if that is hidden', async () => {
  const layout = storedValue('localStorage', 'columns u1 vehicles ')
  onTestFinished(async () => {
    layout.forget()
    await page.viewport(1280, 800)
  })
  await page.viewport(360, 740)
  const app = openVehicles([vehicle(1, { in_stock_on: today() }), vehicle(2, { status: 'Sold' })])
  const rows = page.getByRole('list', { name: 'Vehicles' }).getByRole('listitem')
  await expect.element(rows.first()).toHaveTextContent(/In stock · 0 days/)
  expect(rows.first().element().textContent).not.toContain('0 days in stock')
  layout.save({ columns: [{ field: 'status', hidden: true }], density: 'comfortable' })
  await app.visit('/dashboard/profile')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await app.visit('/dashboard/vehicles')
  await expect.element(rows.first()).toHaveTextContent(/Days in stock: 0 days in stock/)
  expect(rows.last().element().textContent).not.toContain('Days in stock')
})

test('only a list of vehicles in stock can be sorted by their days', async () => {
  const app = openVehicles([vehicle(1, { in_stock_on: today() }), vehicle(2, { status: 'Sold' })])
  const days = page.getByRole('columnheader', { name: 'Days in stock' })
  await expect.element(days).toBeVisible()
  expect(days.getByRole('button').elements()).toHaveLength(0)
  const condition = { field: 'status', op: 'in', value: ['In stock', 'Reserved'] }
  const filter = encodeURIComponent(JSON.stringify([condition]))
  await app.visit(`/dashboard/vehicles?filter=${filter}`)
  const lastSort = () => network.requests('/api/vehicles').at(-1)?.query.get('sort')
  await days.getByRole('button').click()
  await expect.element(days).toHaveAttribute('aria-sort', 'ascending')
  expect(lastSort()).toBe('-in_stock_on')
  await days.getByRole('button').click()
  await expect.element(days).toHaveAttribute('aria-sort', 'descending')
  expect(lastSort()).toBe('in_stock_on')
  // Without the filter, the sort order stays, and can still be changed.
  await app.visit('/dashboard/vehicles?sort=in_stock_on')
  await days.getByRole('button').click()
  await expect.poll(app.address).toBe('/dashboard/vehicles?view=all')
  await expect.poll(() => days.getByRole('button').elements()).toHaveLength(0)
})

test('without the filter by status, the list is no longer sorted by the days in stock', async () => {
  const conditions = [
    { field: 'make', op: 'is', value: 'Volvo' },
    { field: 'status', op: 'is', value: 'In stock' },
  ]
  const query = new URLSearchParams({ sort: 'make,-in_stock_on', filter: JSON.stringify(conditions) })
  const app = openVehicles([vehicle(1, { in_stock_on: today() })], `/dashboard/vehicles?${query}`)
  await page.getByRole('button', { name: 'Remove the filter Make' }).click()
  await expect.poll(app.address).not.toContain('Volvo')
  expect(app.address()).toContain('sort=make%2C-in_stock_on')
  await page.getByRole('button', { name: 'Remove the filter Status' }).click()
  await expect.poll(app.address).toBe('/dashboard/vehicles?sort=make')
})

test.each([1024, 1100])('at %d px, the column of the names is wide, and the table scrolls', async width => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(width, 800)
  openVehicles([vehicle(1)])
  const name = page.getByRole('columnheader', { name: 'Vehicle' })
  await expect.element(name).toBeVisible()
  expect(name.element().getBoundingClientRect().width).toBeGreaterThanOrEqual(160)
  expect(document.documentElement.scrollWidth).toBe(width)
})

test('at 1280 px, the table of vehicles fits its card', async () => {
  openVehicles([vehicle(1)])
  const table = page.getByRole('table', { name: 'Vehicles' })
  await expect.element(table).toBeVisible()
  expect(table.element().getBoundingClientRect().width).toBe(
    table.element().parentElement?.getBoundingClientRect().width,
  )
})

test('on a phone, the separator before the first value of a line is hidden', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openVehicles([vehicle(1, { in_stock_on: today() })])
  const row = page.getByRole('list', { name: 'Vehicles' }).getByRole('listitem').first()
  await expect.element(row).toHaveTextContent(/In stock · 0 days/)
  const values = [...row.element().querySelectorAll('p > span')].map(value => value.getBoundingClientRect())
  const left = values[0]?.left ?? 0
  const area = row.element().querySelector('p')?.parentElement?.getBoundingClientRect()
  expect(area?.left, 'the text begins at the edge').toBe(left + 8)
  const lines = new Set(values.map(({ top, height }) => Math.round((top + height / 2) / 10)))
  expect(lines.size, 'lines').toBeLessThanOrEqual(2)
  expect(
    values.slice(1).map(value => value.left === left),
    'only the status begins a line',
  ).toEqual([false, true])
})

test('a new vehicle needs only a registration number or a VIN', async () => {
  await openNew()
  await create.click()
  await expect
    .element(field('Registration number'))
    .toHaveAccessibleDescription('Enter a registration number or a VIN.')
  expect(savedBodies('POST')).toHaveLength(0)
  await more.click()
  await field('VIN').fill('1HGCM82633A004352')
  await expect.element(field('Registration number')).not.toBeInvalid()
  await field('VIN').fill('')
  await field('Registration number').fill('ab12 cde')
  await create.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('POST')).toMatchObject([
    { registration_number: 'ab12 cde', status: 'In stock', vin: '', in_stock_on: today() },
  ])
})

test('while the VIN is typed, its region and model year are shown, or why it is invalid', async () => {
  await openNew()
  await more.click()
  await field('VIN').fill('1HGCM82633A004352')
  await expect.element(field('VIN')).toHaveAccessibleDescription('North America · Model year 2003.')
  await field('VIN').fill('wp0zzz99zts392124')
  await expect
    .element(field('VIN'))
    .toHaveAccessibleDescription(/^Europe · Model year 2026 or 1996\. This VIN has no valid check digit/)
  await field('VIN').fill('1HGCM82643A004352')
  await field('Make').click()
  await expect
    .element(field('VIN'))
    .toHaveAccessibleDescription(
      'The check digit of this VIN is wrong. Compare it with the vehicle, character by character.',
    )
})

test('a mileage of four digits has no thousands separator, as in other fields', async () => {
  openVehicles([vehicle(1, { mileage: 8500 })])
  await expect.element(page.getByRole('cell', { name: '8500 mi', exact: true })).toBeVisible()
})

test('at phone width the choice of the usual mileage unit is not cut', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  await openNew()
  await expect.element(dialog.getByText('Usual unit: miles.')).toBeVisible()
  const text = dialog.getByRole('combobox', { name: 'Mileage unit' }).element().querySelector('.truncate')
  expect(text?.scrollWidth).toBe(text?.clientWidth)
})

test('at phone width with twice the text size, the form is no wider than the window', async () => {
  onTestFinished(async () => {
    document.documentElement.style.fontSize = ''
    await page.viewport(1280, 800)
  })
  await page.viewport(360, 740)
  await openNew()
  document.documentElement.style.fontSize = '32px'
  const [form, button] = [dialog.element(), more.element()]
  expect(form.getBoundingClientRect().right).toBeLessThanOrEqual(360)
  expect(button.getBoundingClientRect().right).toBeLessThanOrEqual(360)
  expect(button.scrollWidth, 'the text of the button is not cut').toBe(button.clientWidth)
})

test('a mileage lower than the stored one requires a remark', async () => {
  await edit()
  await field('Mileage').fill('23399')
  await save.click()
  await expect
    .element(field('Mileage remark'))
    .toHaveAccessibleDescription('This mileage is lower than the last one, or missing. Say why.')
  await field('Mileage').fill('23400')
  await expect.element(field('Mileage remark')).not.toHaveAccessibleDescription(/Say why/)
  await field('Mileage').fill('23399')
  await field('Mileage remark').fill('New instrument')
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toMatchObject([
    { mileage: '23399', mileage_remark: 'New instrument', version: 4 },
  ])
})

test('the form offers only statuses that may follow the current status', async () => {
  await edit({ status: 'Reserved' })
  await field('Status').click()
  await expect.poll(() => textsOf(page.getByRole('option'))).toEqual(['Reserved', 'In stock'])
})

test('the registration number of another vehicle in stock is rejected at its field, and the input stays', async () => {
  await openNew()
  network.on('POST /api/vehicles', () =>
    errorResponse(400, 'Another vehicle in stock has this registration number.', {
      fields: { registration_number: ['Another vehicle in stock has this registration number.'] },
    }),
  )
  await field('Registration number').fill('AB12 CDE')
  await more.click()
  await field('Colour').fill('Red')
  await create.click()
  await expect
    .element(field('Registration number'))
    .toHaveAccessibleDescription('Another vehicle in stock has this registration number.')
  await expect.element(field('Colour')).toHaveValue('Red')
})

test('while the number is typed, the vehicles that have it are shown with their status', async () => {
  await openNew()
  const sold = vehicle(1, { status: 'Sold' })
  network.on('GET /api/vehicles', ({ query }) => {
    const found = query.get('filter')?.includes('"ab12 cdb"') ? [sold] : []
    return { body: { success: true, data: found, totalItems: found.length, totalPages: 1 } }
  })
  await field('Registration number').fill('ab12 cdb')
  const hint = dialog.getByText('Volvo V60, AB12 CDB (Sold) has the same registration number.')
  await expect.element(hint).toBeVisible()
  await expect
    .element(dialog.getByRole('link', { name: 'Open Volvo V60, AB12 CDB in a new tab' }))
    .toHaveAttribute('href', '/dashboard/vehicles/v-1')
  await field('Registration number').fill('ab12 cdx')
  await expect.element(hint).not.toBeInTheDocument()
})

test('the focus returns to the number when the focused link to a vehicle disappears', async () => {
  await openNew()
  network.on('GET /api/vehicles', ({ query }) => listOf(query.get('filter') ? [vehicle(1)] : []))
  await field('Registration number').fill('ab12 cdb')
  const link = dialog.getByRole('link', { name: 'Open Volvo V60, AB12 CDB in a new tab' })
  await expect.element(link).toBeVisible()
  const release = delayResponse('GET /api/vehicles', () => listOf([]))
  await field('Registration number').fill('ab12 cdx')
  const focused = link.element() as HTMLElement
  focused.focus()
  expect(document.activeElement).toBe(focused)
  release()
  await expect.element(link).not.toBeInTheDocument()
  await expect.element(field('Registration number')).toHaveFocus()
})

test('a vehicle that the lost creation may have created is not shown for its number', async () => {
  await openNew()
  const older = vehicle(1, { status: 'Sold', created_at: '2020-01-02T08:00:00Z' })
  const own = vehicle(1, { vehicle_id: 'v-2', created_at: new Date().toISOString() })
  network.on('GET /api/vehicles', ({ query }) => listOf(query.get('filter') ? [own, older] : []))
  network.on('POST /api/vehicles', () => errorResponse(503, 'Failed.'))
  await field('Registration number').fill('ab12 cdb')
  const hint = (status: string) =>
    dialog.getByText(`Volvo V60, AB12 CDB (${status}) has the same registration number.`)
  await expect.element(hint('In stock')).toBeVisible()
  await create.click()
  await expectAlert('Failed.')
  await expect.element(hint('In stock')).not.toBeInTheDocument()
  await expect.element(hint('Sold')).toBeVisible()
})

test('the page of a vehicle shows its facts and its history', async () => {
  openVehicles([vehicle(1, { fuel: 'Plug-in hybrid', notes: 'Two keys' })], '/dashboard/vehicles/v-1')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Volvo V60, AB12 CDB' })).toBeVisible()
  await expect.element(page.getByText('S-1001 · In stock')).toBeVisible()
  await expect.element(page.getByText('Plug-in hybrid')).toBeVisible()
  await expect.element(page.getByText('Two keys')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: /^History/ })).toBeVisible()
})

test('the number plate in the heading of a vehicle does not break', async () => {
  openVehicles([vehicle(1)], '/dashboard/vehicles/v-1')
  const heading = page.getByRole('heading', { level: 1, name: 'Volvo V60, AB12 CDB' })
  await expect.element(heading).toBeVisible()
  expect(heading.element().textContent).toBe('Volvo V60, AB12\u00a0CDB')
})

test.each([
  ['In stock', 'S-1001 · In stock · Asking price £18,995'],
  ['Sold', 'S-1001 · Sold'],
] as const)('below the name of a vehicle with the status %s is "%s"', async (status, text) => {
  openVehicles([vehicle(1, { status })], '/dashboard/vehicles/v-1')
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
})

test('the form of a new vehicle hides less important fields until one of them has an error', async () => {
  await openNew()
  await expect.element(field('Mileage')).toBeVisible()
  await expect.element(field('Asking price')).toBeVisible()
  await expect.element(field('VIN')).not.toBeVisible()
  network.on('POST /api/vehicles', () =>
    errorResponse(400, 'Another vehicle in stock has this VIN.', {
      fields: { vin: ['Another vehicle in stock has this VIN.'] },
    }),
  )
  await field('Registration number').fill('AB12 CDE')
  await create.click()
  await expect.element(field('VIN')).toBeVisible()
  await expect.element(field('VIN')).toHaveAccessibleDescription('Another vehicle in stock has this VIN.')
  await expect.element(more).toHaveAttribute('aria-expanded', 'true')
})

import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Permissions } from '~/core'
import { drafts } from '~/lib/drafts'
import { recordAnnouncements } from '~/test/announcements'
import { errorResponse, network } from '~/test/network'
import { servePermissions } from '~/test/open'
import { allPermissions, noPermissions, readPermission } from '~/test/rights'
import { createPicture } from '~/test/settings'
import {
  choosePhotos,
  expectNoCosts,
  openVehicles,
  photo,
  savedBodies,
  vehicle,
  vehiclesResource,
} from '~/test/vehicles'

const field = (name: string) => page.getByLabelText(name, { exact: true })
const dialog = page.getByRole('dialog')

const bought = vehicle(1, {
  asking_price: 2899,
  purchase_price: 2380,
  minimum_price: 2790,
  costs: [{ date: '2026-11-20', kind: 'Tyres', net: 111.5, vat: 27.88, note: 'Four summer tyres' }],
})

const openPage = (costs: Permissions = readPermission) =>
  openVehicles([bought], '/dashboard/vehicles/v-1', allPermissions, costs)

test('the margin is updated while the asking price is typed', async () => {
  openPage()
  await expect.element(page.getByText('Margin if sold at this price')).toBeVisible()
  const margin = page.getByText('Margin if sold at this price').element().nextElementSibling
  // The VAT on the margin of 519 is 519 × 20/120 = 86.50.
  expect(margin).toHaveTextContent('£321.00')
  await expect.element(page.getByText('£519.00 × 20/120')).toBeVisible()
  const discount = 'Each £1,000.00 off the price reduces the margin by £913.50.'
  await expect.element(page.getByText(discount)).toBeVisible()
  await field('Asking price').fill('2400')
  await expect.poll(() => margin?.textContent).toBe('−£94.83')
  const saved = { ...bought, asking_price: 2500, version: 5 }
  network.on('PUT /api/vehicles/v-1', () => ({ body: { success: true, message: '', data: saved } }))
  await field('Asking price').fill('2500')
  await page.getByRole('button', { name: 'Save price' }).click()
  await expect
    .poll(() => savedBodies('PUT', '/api/vehicles/v-1'))
    .toMatchObject([{ asking_price: '2500', version: 4 }])
  expectNoCosts(savedBodies('PUT', '/api/vehicles/v-1')[0])
  await expect.element(page.getByRole('button', { name: 'Save price' })).not.toBeInTheDocument()
  await expect.element(field('Asking price')).toHaveFocus()
  await expect.element(field('Asking price')).toHaveValue('2500')
})

test('a consigned vehicle has no margin to enter a purchase price for', async () => {
  const consigned = vehicle(1, { ownership: 'Consigned' })
  openVehicles([consigned], '/dashboard/vehicles/v-1')
  const why = /^For a consigned vehicle you earn the commission of its agency agreement, not a margin/
  await expect.element(page.getByText(why)).toBeVisible()
  expect(page.getByText(/^Enter the purchase price/).elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.element(dialog.getByText(why).first()).toBeVisible()
})

test('the VAT rate in the calculation has at most two decimals', async () => {
  openPage()
  const corp = { corp_id: 'c1', corp_name: 'Nordbil AB', country: 'GB', currency: 'GBP', vat_rate: 8.04 }
  const profile = {
    id: 'u1',
    email: '',
    first_name: 'Ada',
    last_name: 'Lind',
    mobile: '',
    type: 'Admin',
    corp,
  }
  network.on('GET /api/auth/profile/detail', () => ({ body: { success: true, data: profile } }))
  await expect.element(page.getByText('£519.00 × 8.04/108.04')).toBeVisible()
})

test('a price that was changed in the form replaces the one that was typed', async () => {
  openPage()
  await field('Asking price').fill('2400')
  await page.getByRole('button', { name: 'Edit' }).click()
  const saved = { ...bought, asking_price: 2600, version: 5 }
  network.on('PUT /api/vehicles/v-1', () => ({ body: { success: true, message: '', data: saved } }))
  network.on('GET /api/vehicles/v-1', () => ({ body: { success: true, data: saved } }))
  await dialog.getByLabelText('Asking price').fill('2600')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(field('Asking price')).toHaveValue('2600')
})

test('a typed price stays when the form changes something else', async () => {
  openPage()
  await field('Asking price').fill('2400')
  await page.getByRole('button', { name: 'Edit' }).click()
  const saved = { ...bought, colour: 'Blue', version: 5 }
  network.on('PUT /api/vehicles/v-1', () => ({ body: { success: true, message: '', data: saved } }))
  network.on('GET /api/vehicles/v-1', () => ({ body: { success: true, data: saved } }))
  await dialog.getByLabelText('Colour').fill('Blue')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText('Blue', { exact: true })).toBeVisible()
  await expect.element(field('Asking price')).toHaveValue('2400')
  await expect.element(page.getByRole('button', { name: 'Save price' })).toBeVisible()
})

test('a typed price stays after a conflict and can be saved again', async () => {
  openPage()
  await field('Asking price').fill('2400')
  const present = { ...bought, asking_price: 2600, version: 5 }
  network.on('GET /api/vehicles/v-1', () => ({ body: { success: true, data: present } }))
  network.on('PUT /api/vehicles/v-1', ({ body }) =>
    (body as { version: number }).version === 5
      ? { body: { success: true, message: '', data: { ...present, asking_price: 2400, version: 6 } } }
      : errorResponse(409, 'Someone else has changed this.', { data: present }),
  )
  const save = page.getByRole('button', { name: 'Save price' })
  await save.click()
  await expect.element(page.getByText('Someone else has changed this.')).toBeVisible()
  // The card of the sale shows the price of the other user.
  await expect.element(page.getByText('£2,600.00')).toBeVisible()
  await expect.element(field('Asking price')).toHaveValue('2400')
  await save.click()
  await expect.element(save).not.toBeInTheDocument()
  await expect.element(field('Asking price')).toHaveValue('2400')
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toMatchObject([
    { asking_price: '2400', version: 4 },
    { asking_price: '2400', version: 5 },
  ])
})

test('a typed price stays when a photo is added after another user changed the price', async () => {
  openPage()
  await field('Asking price').fill('2400')
  const present = { ...bought, asking_price: 2600, version: 5, photos: [photo(1)], photo_count: 1 }
  network.on('POST /api/vehicles/v-1/photos', () => ({
    status: 201,
    body: { success: true, message: '', data: present },
  }))
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'))
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
  // The card of the sale shows the price of the other user.
  await expect.element(page.getByText('£2,600.00')).toBeVisible()
  await expect.element(field('Asking price')).toHaveValue('2400')
  await page.getByRole('button', { name: 'Save price' }).click()
  await expect
    .poll(() => savedBodies('PUT', '/api/vehicles/v-1'))
    .toMatchObject([{ asking_price: '2400', version: 5 }])
})

test('leaving the page asks before it discards a typed price', async () => {
  const app = openPage()
  await field('Asking price').fill('2400')
  void app.visit('/dashboard/vehicles')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(app.address).toBe('/dashboard/vehicles/v-1')
  await expect.element(field('Asking price')).toHaveValue('2400')
  void app.visit('/dashboard/vehicles')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(app.address).toBe('/dashboard/vehicles')
})

test('deleting a vehicle asks nothing about a typed price', async () => {
  const app = openPage()
  await field('Asking price').fill('2400')
  network.on('DELETE /api/vehicles/v-1', () => ({ body: { success: true, message: 'Vehicle deleted' } }))
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect.poll(app.address).toBe('/dashboard/vehicles')
})

test('a price with separators is shown with its margin while it is typed', async () => {
  openPage()
  await field('Asking price').fill('18,995.50')
  await expect.element(page.getByText('£18,995.50')).toBeVisible()
  await field('Asking price').fill('18 995,50')
  await expect.element(page.getByText('£18,995.50')).toBeVisible()
})

test('an invalid asking price shows an error and is not saved', async () => {
  openPage()
  await field('Asking price').fill('12.345')
  await expect
    .element(field('Asking price'))
    .toHaveAccessibleDescription('GBP Enter a price above 0 with at most two decimals, or leave it empty.')
  await page.getByRole('button', { name: 'Save price' }).click()
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toHaveLength(0)
})

test('the form says that the purchase price of a vehicle with standard VAT is without VAT', async () => {
  openPage(allPermissions)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const help = dialog.getByText('The price without deductible VAT.')
  await expect.element(dialog.getByLabelText('Purchase price')).toBeVisible()
  expect(help.elements()).toHaveLength(0)
  await dialog.getByRole('combobox', { name: 'VAT scheme' }).click()
  await page.getByRole('option', { name: 'Standard VAT' }).click()
  await expect.element(help).toBeVisible()
})

test("the costs card shows the total of a vehicle's costs", async () => {
  openPage()
  await expect.element(page.getByRole('cell', { name: 'Tyres Four summer tyres' })).toBeVisible()
  await expect.element(page.getByRole('row', { name: 'Total £27.88 £111.50' })).toBeVisible()
})

test('a phone shows the date of a cost below its kind, and breaks no word', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  const costs = [
    { date: '2026-11-20', kind: 'Transport' as const, net: 11_111.5, vat: 2727.88, note: 'Reconditioning' },
  ]
  openVehicles([{ ...bought, costs }], '/dashboard/vehicles/v-1', allPermissions, readPermission)
  const cell = page.getByRole('cell', { name: 'Transport Reconditioning Nov 20, 2026' })
  await expect.element(cell).toBeVisible()
  const [kind, note] = [...cell.element().querySelectorAll('span')]
  expect(kind?.getClientRects()).toHaveLength(1)
  expect(note?.getClientRects()).toHaveLength(1)
  expect(document.documentElement.scrollWidth).toBe(360)
})

test('a phone shows the VAT of a cost below its amount', async () => {
  openPage()
  await page.viewport(360, 740)
  try {
    const cell = page.getByRole('cell', { name: '£111.50 VAT £27.88', exact: true })
    await expect.element(cell.first()).toBeVisible()
    expect(cell.elements()).toHaveLength(2)
  } finally {
    await page.viewport(1280, 800)
  }
})

test('"Add cost" opens the form with a new cost, whose first field has the focus', async () => {
  openPage()
  await page.getByRole('button', { name: 'Add cost' }).click()
  const cost = dialog.getByRole('group', { name: 'Cost 2' })
  await expect.element(cost.getByLabelText('Date')).toHaveFocus()
  await cost.getByLabelText('Date').fill('2026-11-24')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .element(cost.getByLabelText('Net'))
    .toHaveAccessibleDescription('Enter an amount above 0 with at most two decimals.')
  await cost.getByLabelText('Net').fill('250')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('PUT', '/api/vehicles/v-1')).toMatchObject([
    {
      costs: [
        { kind: 'Tyres', net: '111.50' },
        { date: '2026-11-24', kind: 'Service', net: '250' },
      ],
    },
  ])
})

test('a new cost without input is no unsaved change', async () => {
  openPage()
  await page.getByRole('button', { name: 'Add cost' }).click()
  await expect.element(dialog.getByRole('group', { name: 'Cost 2' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Add cost' })).toHaveFocus()
  expect(dialog.elements()).toHaveLength(0)
})

test('a new cost without input is not saved, and errors are shown at the right cost', async () => {
  openPage()
  await page.getByRole('button', { name: 'Add cost' }).click()
  await dialog.getByRole('button', { name: 'Add cost' }).click()
  const cost = dialog.getByRole('group', { name: 'Cost 3' })
  await cost.getByLabelText('Note').fill('Polish')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .element(cost.getByLabelText('Net'))
    .toHaveAccessibleDescription('Enter an amount above 0 with at most two decimals.')
  await cost.getByLabelText('Net').fill('80')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [saved] = savedBodies('PUT', '/api/vehicles/v-1')
  expect(saved?.costs).toMatchObject([{ kind: 'Tyres' }, { note: 'Polish', net: '80' }])
})

const net = (cost: number) => dialog.getByRole('group', { name: `Cost ${cost}` }).getByLabelText('Net')

test('costs that were added and changed stay when another user has changed something else', async () => {
  openPage(allPermissions)
  const present = { ...bought, colour: 'Red', version: 5 }
  network.on('PUT /api/vehicles/v-1', ({ body }) =>
    (body as { version: number }).version === 5
      ? { body: { success: true, message: '', data: present } }
      : errorResponse(409, 'Someone else has changed this.', { data: present }),
  )
  const save = dialog.getByRole('button', { name: 'Save changes' })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await net(1).fill('120')
  await dialog.getByRole('button', { name: 'Add cost' }).click()
  await net(2).fill('80')
  await save.click()
  await expect.element(dialog.getByText('Their changes, already applied')).toBeVisible()
  await expect.element(net(1)).toHaveValue('120')
  await expect.element(net(2)).toHaveValue('80')
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('PUT', '/api/vehicles/v-1').at(-1)).toMatchObject({
    version: 5,
    colour: 'Red',
    costs: [{ kind: 'Tyres', net: '120' }, { net: '80' }],
  })
})

test('a restored draft shows the cost that was added', async () => {
  const base = [{ date: '2026-11-20', kind: 'Tyres', net: '111.50', vat: '27.88', note: 'Four summer tyres' }]
  const value = [...base, { date: '2026-11-24', kind: 'Service', net: '80', vat: '', note: '' }]
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save('vehicle v-1', { version: 4, typed: { costs: { value, base } } })
  onTestFinished(() => drafts.forget('vehicle v-1'))
  openPage(allPermissions)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.element(net(2)).toHaveValue('80')
})

test('after a cost is removed, the focus is on the one before, or else on the button that adds one', async () => {
  openPage(allPermissions)
  await page.getByRole('button', { name: 'Add cost' }).click()
  await dialog.getByRole('button', { name: 'Remove cost 2' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Remove cost 1' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('button', { name: 'Add cost' })).toHaveFocus()
})

test('the margin is announced once the typing of a price rests', async () => {
  openPage(allPermissions)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabelText('Purchase price').click()
  const said = recordAnnouncements()
  await userEvent.keyboard('{Control>}a{/Control}1800')
  // The VAT on the margin of 1,099 is 1,099 × 20/120.
  const margin = 'VAT £183.17 · Margin £804.33 · '
  await expect.element(dialog.getByText(margin)).toBeVisible()
  await expect.poll(() => said.some(text => text.startsWith(margin))).toBe(true)
  // Nor the ones of 1, 18 and 180.
  expect(said.filter(text => text.startsWith('VAT £4'))).toEqual([])
})

test('an error that comes and goes while typing is announced once the typing rests', async () => {
  openPage()
  await field('Asking price').click()
  const said = recordAnnouncements()
  await userEvent.keyboard('{Control>}a{/Control}1x{Backspace}2x{Backspace}3x')
  const error = 'Enter a price above 0 with at most two decimals, or leave it empty.'
  await expect.element(field('Asking price')).toHaveAccessibleDescription(`GBP ${error}`)
  await expect.poll(() => said.filter(text => text === error)).toHaveLength(1)
})

test('an error of the whole list is shown at the costs until one is removed', async () => {
  openPage(allPermissions)
  const text = 'A vehicle can have at most 100 costs. Combine some.'
  network.on('PUT /api/vehicles/v-1', () => errorResponse(400, text, { fields: { costs: [text] } }))
  await page.getByRole('button', { name: 'Add cost' }).click()
  await dialog.getByRole('group', { name: 'Cost 2' }).getByLabelText('Net').fill('80')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog.getByRole('alert').getByText(text)).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove cost 2' }).click()
  await expect.element(dialog.getByText(text)).not.toBeInTheDocument()
})

test('a price that the user may not set any more stays in the form, whose page then shows no costs', async () => {
  openPage()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabelText('Purchase price').fill('2000')
  servePermissions(vehiclesResource(allPermissions, noPermissions))
  const text = "You don't have permission to see or change “Purchase price”."
  network.on('PUT /api/vehicles/v-1', () => errorResponse(403, text))
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(text)
  await expect.element(dialog.getByLabelText('Purchase price')).toHaveValue('2000')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(page.getByRole('button', { name: 'Add cost' })).not.toBeInTheDocument()
  expect(page.getByText('Price and margin').elements()).toHaveLength(0)
})

test('without permission to read costs, costs are neither shown nor sent', async () => {
  openPage(noPermissions)
  await expect.element(page.getByText('Sale', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Price and margin')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabelText('Colour').fill('Red')
  await expect.element(dialog.getByLabelText('Purchase price')).not.toBeInTheDocument()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [saved] = savedBodies('PUT', '/api/vehicles/v-1')
  expect(saved).toMatchObject({ colour: 'Red' })
  expectNoCosts(saved)
})

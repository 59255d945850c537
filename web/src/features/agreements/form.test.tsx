import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agreement, idOf, leg, noVehicles, openAgreements, savedBodies, vehicle } from '~/test/agreements'
import { contact } from '~/test/contacts'
import { errorResponse, network } from '~/test/network'
import { noPermissions } from '~/test/rights'

const field = (name: string) => page.getByLabelText(name, { exact: true })
const dialog = page.getByRole('dialog')
const group = (name: string) => dialog.getByRole('group', { name, exact: true })
const create = dialog.getByRole('button', { name: 'Create agreement' })
const save = dialog.getByRole('button', { name: 'Save changes' })
const adder = page.getByRole('combobox', { name: 'Add vehicle', exact: true })

async function openNew(settings: Parameters<typeof openAgreements>[1] = {}) {
  const app = openAgreements([], settings)
  await page.getByRole('button', { name: 'New agreement' }).first().click()
  await expect.element(create).toBeVisible()
  return app
}

async function edit(one = agreement(1), settings: Parameters<typeof openAgreements>[1] = {}) {
  openAgreements([one], settings)
  await page.getByRole('button', { name: `Edit ${one.number}` }).click()
  await expect.element(save).toBeVisible()
}

/** Types into a field with suggestions and chooses one by keyboard. */
async function choose(label: string, text: string, option: RegExp) {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await userEvent.keyboard(text)
  await expect.element(page.getByRole('option', { name: option }).first()).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
}

async function choice(label: string, option: string) {
  await field(label).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a customer, a vehicle and a part-exchange are chosen by keyboard, and the totals follow', async () => {
  const app = await openNew({
    vehicles: [vehicle(1, { purchase_price: 15000, costs: [] }), vehicle(2)],
  })
  await choose('Customer', 'maja', /Maja Holm 71/)
  await choose('Add vehicle', 'volvo', /AB12 CDB/)
  const sold = group('Volvo V60, AB12 CDB')
  await expect.element(sold.getByLabelText('Price')).toHaveFocus()
  await expect.element(sold.getByLabelText('Price')).toHaveValue('18995')
  await expect
    .element(page.getByText('Vehicles out £18,995.00 · To pay £18,995.00 · Margin £3,329.17'))
    .toBeVisible()
  await choose('Add part-exchange', 'volvo', /AB12 CDC/)
  await userEvent.keyboard('4000')
  await expect
    .element(page.getByText(/^Vehicles out £18,995.00 · Vehicles in −£4,000.00 · To pay £14,995.00/))
    .toBeVisible()
  await field('Deposit').fill('1000')
  await create.click()
  await expect.poll(app.address).toBe(`/dashboard/agreements/${idOf(9)}`)
  expect(savedBodies('POST')).toMatchObject([
    {
      type: 'Sales',
      customer_id: idOf(71),
      legs: [
        { vehicle_id: idOf(1), direction: '', price: '18995', vat_scheme: 'Margin' },
        { vehicle_id: idOf(2), direction: 'In', price: '4000', vat_scheme: 'Margin' },
      ],
      deposit: '1000',
    },
  ])
})

/** Types into a field that adds a vehicle, and returns the names of the suggestions. */
async function suggestionsOf(label: string) {
  await page.getByRole('combobox', { name: label, exact: true }).fill('volvo')
  await expect.element(page.getByText(/^\d suggestions?$/)).toBeInTheDocument()
  return page
    .getByRole('option')
    .elements()
    .flatMap(option => /AB12 CD./.exec(option.textContent) ?? [])
}

test('does not suggest vehicles of the agreement again, or sold ones', async () => {
  const vehicles = [vehicle(1), vehicle(2), vehicle(3), vehicle(5, { status: 'Sold' })]
  await edit(agreement(1), { vehicles })
  expect(await suggestionsOf('Add part-exchange')).toEqual(['AB12 CDC', 'AB12 CDD'])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(group('Volvo V60, AB12 CDC')).toBeVisible()
  expect(await suggestionsOf('Add vehicle')).toEqual(['AB12 CDD'])
  await userEvent.keyboard('{Escape}')
  expect(await suggestionsOf('Add part-exchange')).toEqual(['AB12 CDD'])
})

test('a typed name without a chosen customer is an error of its field', async () => {
  await openNew()
  await page.getByRole('combobox', { name: 'Customer', exact: true }).fill('Nobody such')
  await adder.fill('Nothing such')
  await create.click()
  await expect
    .element(page.getByRole('combobox', { name: 'Customer', exact: true }))
    .toHaveAccessibleDescription('Choose a customer that exists.')
  await expect.element(page.getByRole('combobox', { name: 'Customer', exact: true })).toHaveFocus()
  expect(savedBodies('POST')).toHaveLength(0)
})

test('Escape closes the suggestions, and never empties the field or discards it without asking', async () => {
  await openNew()
  const input = page.getByRole('combobox', { name: 'Customer', exact: true })
  const keep = page.getByRole('button', { name: 'Keep editing' })
  network.on('GET /api/customers', () => ({
    body: { success: true, data: [], totalItems: 0, totalPages: 1 },
  }))
  await input.click()
  await userEvent.keyboard('Volvo')
  const nothing = dialog.getByText('No customer matches. Add the customer first.').last()
  await expect.element(nothing).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(nothing).not.toBeInTheDocument()
  expect(keep.elements()).toHaveLength(0)
  await userEvent.keyboard('{Escape}')
  await keep.click()
  await expect.element(input).toHaveValue('Volvo')
})

test('Escape does not remove a chosen customer', async () => {
  await openNew()
  await choose('Customer', 'maja', /Maja Holm 71/)
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  const input = page.getByRole('combobox', { name: 'Customer', exact: true })
  await expect.element(input).toHaveValue('Maja Holm 71')
  await expect
    .element(input)
    .toHaveAccessibleDescription(/^Linked to customer C-1071\s+\(opens in a new tab\)/)
})

test('Enter chooses the first vehicle that matches and never submits', async () => {
  await openNew()
  await adder.click()
  // The first Enter comes before the matches.
  await userEvent.keyboard('volvo{Enter}')
  await expect.element(page.getByRole('option', { name: /AB12 CDB/ }).first()).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(group('Volvo V60, AB12 CDB')).toBeVisible()
  await expect.element(adder).toHaveValue('')
  expect(savedBodies('POST')).toHaveLength(0)
})

test('a typed vehicle that was not chosen is an error of its field', async () => {
  const app = await openNew()
  await adder.fill('Nothing such')
  await create.click()
  await expect.element(adder).toHaveAccessibleDescription('Choose a vehicle.')
  await expect.element(adder).toHaveFocus()
  expect(savedBodies('POST')).toHaveLength(0)
  await adder.fill('')
  await page.getByRole('combobox', { name: 'Add part-exchange' }).fill('Nothing such')
  await create.click()
  await expect
    .element(page.getByRole('combobox', { name: 'Add part-exchange' }))
    .toHaveAccessibleDescription('Choose a vehicle.')
  expect(savedBodies('POST')).toHaveLength(0)
  // A purchase has no part-exchange.
  await choice('Type', 'Purchase')
  await create.click()
  await expect.poll(app.address).toBe(`/dashboard/agreements/${idOf(9)}`)
  expect(savedBodies('POST')).toMatchObject([{ type: 'Purchase', legs: [] }])
})

test('an invalid price is an error of its vehicle, and a vehicle is removed', async () => {
  await edit()
  const sold = group('Volvo V60, AB12 CDB')
  await sold.getByLabelText('Price').fill('12.345')
  await save.click()
  await expect
    .element(sold.getByLabelText('Price'))
    .toHaveAccessibleDescription('GBP Enter an amount with at most two decimals, or leave it empty.')
  await dialog.getByRole('button', { name: 'Remove Volvo V60, AB12 CDB' }).click()
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('PUT', `/api/agreements/${idOf(1)}`)).toMatchObject([{ legs: [], version: 4 }])
})

test.each([1280, 768])('a price of eight digits is not cut at %s px', async width => {
  onTestFinished(() => page.viewport(1280, 800))
  await edit()
  await page.viewport(width, 800)
  const price = group('Volvo V60, AB12 CDB').getByLabelText('Price')
  await price.fill('12 500 000,00')
  const input = price.element()
  expect(input.scrollWidth).toBeLessThanOrEqual(input.clientWidth)
})

test('a vehicle that is sold meanwhile is an error of the vehicles, and nothing is lost', async () => {
  await edit()
  network.on(`PUT /api/agreements/${idOf(1)}`, () =>
    errorResponse(400, 'Volvo V60, AB12 CDB is already sold.', {
      fields: { legs: ['Volvo V60, AB12 CDB is already sold.'] },
    }),
  )
  await field('Notes').fill('Two keys')
  await save.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Volvo V60, AB12 CDB is already sold.')
  await expect.element(field('Notes')).toHaveValue('Two keys')
})

test('only an agency has a commission', async () => {
  await openNew()
  expect(field('Fixed commission').elements()).toHaveLength(0)
  await choice('Type', 'Agency')
  await field('Fixed commission').fill('500')
  await field('Commission in percent').fill('5')
  await create.click()
  await expect
    .element(field('Commission in percent'))
    .toHaveAccessibleDescription('% Enter the commission as an amount or as a percentage, not as both.')
  expect(page.getByRole('combobox', { name: 'Add part-exchange' }).elements()).toHaveLength(0)
  await field('Fixed commission').fill('')
  await expect.element(field('Commission in percent')).not.toHaveAccessibleDescription(/not as both/)
})

test('a commission is kept, but does not count, while another type is chosen', async () => {
  const app = await openNew()
  await choice('Type', 'Agency')
  await field('Fixed commission').fill('five')
  await choose('Add vehicle', 'volvo', /AB12 CDB/)
  await choice('Type', 'Sales')
  await expect.element(field('Fixed commission')).not.toBeInTheDocument()
  await choice('Type', 'Agency')
  await expect.element(field('Fixed commission')).toHaveValue('five')
  await choice('Type', 'Sales')
  await expect.element(dialog.getByText(/· Commission/)).not.toBeInTheDocument()
  await create.click()
  await expect.poll(app.address).toBe(`/dashboard/agreements/${idOf(9)}`)
  expect(savedBodies('POST')).toMatchObject([{ type: 'Sales' }])
})

test('a commission in percent is shown as an amount too', async () => {
  const agency = agreement(1, {
    type: 'Agency',
    legs: [leg(1, { direction: 'Brokered', price: 18995 })],
    commission_percent: 6.5,
  })
  await edit(agency)
  await expect.element(dialog.getByText(/· Commission £1,234\.68$/)).toBeVisible()
  await field('Commission in percent').fill('5')
  await expect.element(dialog.getByText(/· Commission £949\.75$/)).toBeVisible()
})

test('fields that a signed agreement keeps are disabled, with the reason above them', async () => {
  await edit(agreement(1, { state: 'Signed', agreed_on: '2026-01-15', deposit: 500 }), {
    vehicles: [vehicle(1, { status: 'Reserved' })],
  })
  await expect.element(dialog.getByText(/the terms of a signed agreement can't be changed/)).toBeVisible()
  for (const name of ['Customer', 'Deposit', 'Exclusive until', 'Agreed on']) {
    await expect.element(field(name)).toBeDisabled()
  }
  const sold = group('Volvo V60, AB12 CDB')
  await expect.element(sold.getByLabelText('Price')).toBeDisabled()
  await expect.element(sold.getByRole('combobox', { name: 'VAT scheme' })).toBeDisabled()
  expect(dialog.getByRole('button', { name: /^Remove/ }).elements()).toHaveLength(0)
  expect(dialog.getByRole('combobox', { name: 'Add vehicle' }).elements()).toHaveLength(0)
  for (const name of ['Warranty', 'Delivered on', 'Notes']) {
    await expect.element(field(name)).toBeEnabled()
  }
  await field('Notes').fill('Two keys')
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  const saved = savedBodies('PUT', `/api/agreements/${idOf(1)}`)
  expect(saved).toMatchObject([{ notes: 'Two keys', deposit: '500', customer_id: idOf(71) }])
})

test('a vehicle that is bought does not begin with the asking price', async () => {
  await openNew()
  await choice('Type', 'Purchase')
  await choose('Add vehicle', 'volvo', /AB12 CDB/)
  await expect.element(group('Volvo V60, AB12 CDB').getByLabelText('Price')).toHaveValue('')
})

test('the asking price of a vehicle is cleared when the agreement becomes a purchase', async () => {
  await openNew()
  await choose('Add vehicle', 'volvo', /AB12 CDB/)
  const price = group('Volvo V60, AB12 CDB').getByLabelText('Price')
  await expect.element(price).toHaveValue('18995')
  await choice('Type', 'Purchase')
  await expect.element(price).toHaveValue('')
  await choice('Type', 'Agency')
  await expect.element(price).toHaveValue('18995')
  await price.fill('17000')
  await choice('Type', 'Purchase')
  await expect.element(price).toHaveValue('17000')
})

test('without the permission to read costs, hidden values are neither shown nor sent', async () => {
  const legs = [leg(1), leg(2, { direction: 'In', price: undefined })]
  await edit(agreement(1, { legs, in_total: undefined, to_pay: undefined }), { costs: noPermissions })
  await expect.element(group('Volvo V60, AB12 CDC').getByLabelText('VAT scheme')).toBeVisible()
  expect(group('Volvo V60, AB12 CDC').getByLabelText('Price').elements()).toHaveLength(0)
  expect(field('Minimum price').elements()).toHaveLength(0)
  await field('Notes').fill('Two keys')
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [saved] = savedBodies('PUT', `/api/agreements/${idOf(1)}`)
  expect(saved).not.toHaveProperty('minimum_price')
  expect(saved).toMatchObject({ notes: 'Two keys', legs: [{ price: '18995' }, { direction: 'In' }] })
  const [, taken] = (saved?.legs ?? []) as object[]
  expect(taken).not.toHaveProperty('price')
})

test('another user who changed it meanwhile is named, and what was typed stays', async () => {
  await edit()
  const present = {
    ...agreement(1, { deposit: 700, version: 5 }),
    last_change: { at: new Date().toISOString(), actor: { id: 'u2', name: 'Ben Berg', type: 'User' } },
  }
  network.on(`PUT /api/agreements/${idOf(1)}`, () => errorResponse(409, 'Conflict', { data: present }))
  await field('Notes').fill('Two keys')
  await save.click()
  await expect.element(dialog.getByText(/Ben Berg/)).toBeVisible()
  await expect.element(field('Notes')).toHaveValue('Two keys')
  await expect.element(field('Deposit')).toHaveValue('700')
})

const contacts = [81, 82].map(number => contact(number, { _id: idOf(number) }))

test.each([
  ['removed the contact', undefined, ''],
  ['chose another contact', idOf(82), 'Person 82'],
])('after another user %s, the form has no name of the contact before', async (_, contact_id, name) => {
  await edit(agreement(1, { contact_id: idOf(81) }), { contacts })
  await expect.element(field('Contact')).toHaveValue('Person 81')
  await expect
    .element(field('Contact'))
    .toHaveAccessibleDescription(/^Linked to contact Person 81\s+\(opens in a new tab\)/)
  const present = agreement(1, { contact_id, version: 5 })
  const path = `/api/agreements/${idOf(1)}`
  network.on(`PUT ${path}`, ({ body }) =>
    (body as { version: number }).version === 5
      ? { body: { success: true, message: '', data: present } }
      : errorResponse(409, 'Conflict', { data: present }),
  )
  await field('Notes').fill('Two keys')
  await save.click()
  await expect.element(dialog.getByText('Their changes, already applied')).toBeVisible()
  await expect.element(field('Contact')).toHaveValue(name)
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('PUT', path).at(-1)).toMatchObject({ contact_id: contact_id ?? '', notes: 'Two keys' })
})

test('a contact that was chosen stays when another user removed the one before', async () => {
  await edit(agreement(1, { contact_id: idOf(81) }), { contacts })
  network.on('GET /api/contacts', () => ({
    body: {
      success: true,
      data: contacts.slice(1),
      pagination: { currentPage: 1, totalPages: 1, totalContacts: 1 },
    },
  }))
  await choose('Contact', 'person', /Person 82/)
  const present = agreement(1, { version: 5 })
  network.on(`PUT /api/agreements/${idOf(1)}`, () => errorResponse(409, 'Conflict', { data: present }))
  await save.click()
  await expect.element(dialog.getByText('Theirs', { exact: true })).toBeVisible()
  await expect.element(field('Contact')).toHaveValue('Person 82')
})

test.each([
  [false, "your corporation doesn't have this module. See who to ask for it"],
  [true, "you don't have access to vehicles. Ask an administrator for access."],
])('without access to vehicles, the form says why, and who can help (included: %s)', async (allowed, why) => {
  await openNew({ vehiclesResource: noVehicles(allowed) })
  await expect.element(dialog).toHaveTextContent(`You can't choose vehicles because ${why}`)
  const link = dialog.getByRole('link', { name: 'See who to ask for it' })
  expect(link.elements().map(each => each.getAttribute('href'))).toEqual(
    allowed ? [] : ['/dashboard/subscriptions'],
  )
})

test('a vehicle that the user may not see has the name that the agreement was saved with', async () => {
  await edit(agreement(1), { vehiclesResource: noVehicles(true) })
  await expect.element(group('Volvo V60, AB12 CDB').getByLabelText('Price')).toHaveValue('18995')
})

test('on a phone only the middle part of the form scrolls, between its title and its buttons', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  await openNew()
  const whole = dialog.element().parentElement
  const middle = dialog.element().querySelector('.dialog-body')
  expect(middle?.scrollHeight).toBeGreaterThan(middle?.clientHeight ?? 0)
  expect(whole?.scrollHeight).toBe(whole?.clientHeight)
})

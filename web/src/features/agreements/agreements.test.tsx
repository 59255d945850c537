import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { newAgreement } from '~/records/newRecords'
import {
  agreement,
  idOf,
  leg,
  noVehicles,
  openAgreement,
  openAgreements,
  savedBodies,
  vehicle,
} from '~/test/agreements'
import { customer } from '~/test/customers'
import { change, entry, serveHistory } from '~/test/history'
import { errorResponse, network } from '~/test/network'
import { closeAll, textsOf } from '~/test/open'
import { noPermissions } from '~/test/rights'

const exchange = agreement(1, {
  vehicles: 'Volvo V60, AB12 CDB; Volvo V60, AB12 CDC',
  legs: [leg(1), leg(2, { direction: 'In', price: 4000 })],
  in_total: 4000,
  deposit: 1000,
  to_pay: 13995,
  warranty: { kind: 'Dealer', months: 12, distance: 10000 },
})

const bought = vehicle(1, { purchase_price: 15000, costs: [] })

test('a row shows the customer, vehicles and state, and what is to pay', async () => {
  openAgreements([agreement(1), agreement(2, { state: 'Delivered', agreed_on: '2026-01-15' })])
  await expect.element(page.getByRole('heading', { level: 1, name: 'Agreements' })).toBeVisible()
  const rows = (name: RegExp) => page.getByRole('row', { name }).elements()
  const cells = (row: RegExp) => rows(row).flatMap(({ children }) => [...children].slice(1, 8))
  await expect
    .poll(() => cells(/^Select SA-1002/).map(cell => cell.textContent))
    .toEqual([
      'SA-1002',
      'Maja Holm 71',
      'Volvo V60, AB12\u00a0CDB',
      'Sales',
      'Delivered',
      '£18,995',
      'Jan 15, 2026',
    ])
  expect(cells(/^Select SA-1001/).map(cell => cell.textContent)).toContain('Draft')
})

test('at phone width a row shows the state, and the amount beside the number', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  const customer_name = `${'Maja '.repeat(30)}Holm`
  openAgreements([agreement(1, { state: 'Signed', agreed_on: '2026-01-15', customer_name })])
  const row = page.getByRole('list', { name: 'Agreements' }).getByRole('listitem')
  await expect
    .element(row)
    .toHaveTextContent(
      /^SA-1001 To pay: £18,995 State: Signed\s· Customer: (Maja )+Holm\s· Vehicles: Volvo V60, AB12\sCDB$/,
    )
  const [amount, line] = [row.getByText('£18,995'), row.getByText('SA-1001')]
  expect(amount.element().scrollWidth).toBeLessThanOrEqual(amount.element().clientWidth)
  expect(amount.element().getBoundingClientRect().top).toBe(line.element().getBoundingClientRect().top)
})

test('the page shows the vehicles both ways, and the margin apart from the totals', async () => {
  openAgreement(exchange, { vehicles: [bought, vehicle(2)] })
  const rows = page.getByRole('region', { name: /^Vehicles/ }).getByRole('listitem')
  await expect.element(rows.first()).toHaveTextContent(/Out.*Volvo V60, AB12 CDB.*£18,995.00.*Margin scheme/)
  await expect.element(rows.last()).toHaveTextContent(/In.*Volvo V60, AB12 CDC.*−£4,000.00/)
  const totals = page.getByRole('region', { name: /^Vehicles/ }).getByRole('definition')
  // The VAT on the margin of 3,995 is 3,995 × 20/120.
  const margin = ['£18,995.00', '−£15,000.00', '−£665.83', '£0.00', '£3,329.17']
  await expect
    .poll(() => textsOf(totals))
    .toEqual(['£18,995.00', '−£4,000.00', '−£1,000.00', '£13,995.00', ...margin])
  const names = page.getByRole('region', { name: /^Vehicles/ }).getByRole('term')
  expect(textsOf(names).slice(0, 2)).toEqual(['Vehicles out', 'Vehicles in'])
  await expect.element(page.getByText('Not shown to the customer.')).toBeVisible()
  await expect.element(page.getByText('Dealer, 12 months, 10,000 mi')).toBeVisible()
})

test('the sold vehicles because of which there is no margin are named, with what to do', async () => {
  const consigned = vehicle(2, { ownership: 'Consigned' })
  openAgreement(agreement(1, { legs: [leg(1), leg(2), leg(3)] }), {
    vehicles: [bought, consigned, vehicle(3)],
  })
  const card = page.getByRole('region', { name: /^Vehicles/ })
  await expect
    .element(card)
    .toHaveTextContent(
      /This agreement has no margin, because Volvo V60, AB12 CDC is consigned\. For a consigned vehicle you earn the commission of its agency agreement/,
    )
  const ofOwn = 'Enter the purchase price of Volvo V60, AB12 CDD to see the margin.'
  await expect.element(card.getByText(ofOwn, { exact: true })).toBeVisible()
  await expect.element(card).not.toHaveTextContent('Enter the purchase price of Volvo V60, AB12 CDB')
})

test('on a phone, the margin is closed whenever the page opens', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openAgreement(exchange, { vehicles: [bought, vehicle(2)] })
  const margin = page.getByText('£3,329.17', { exact: true })
  await expect.element(margin).toBeInTheDocument()
  await expect.element(margin).not.toBeVisible()
  await page.getByText('Margin of this agreement').first().click()
  await expect.element(margin).toBeVisible()
  closeAll()
  openAgreement(exchange, { vehicles: [bought, vehicle(2)] })
  await expect.element(margin).toBeInTheDocument()
  await expect.element(margin).not.toBeVisible()
})

test('on a phone, an agreement without a margin has no place for it', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  const taken = leg(2, { direction: 'In', price: 4000 })
  openAgreement({ ...exchange, legs: [taken] }, { vehicles: [vehicle(2)] })
  const legs = page.getByRole('region', { name: /^Vehicles/ })
  await expect.element(legs.getByRole('link')).toBeVisible()
  await expect.element(legs.getByText('Margin of this agreement')).not.toBeVisible()
})

test('a delivered agreement shows its VAT at the rate with which it was delivered', async () => {
  openAgreement(agreement(1, { state: 'Delivered', vat_rate: 17.5 }), { vehicles: [bought] })
  await expect.element(page.getByText('£3,995.00 × 17.5/117.5')).toBeVisible()
  // The present rate is 20 %.
  await expect.element(page.getByText('−£595.00', { exact: true })).toBeVisible()
})

test('the column of the vehicles with their prices is called by their number', async () => {
  openAgreements([exchange])
  await page.getByRole('button', { name: 'Columns' }).click()
  const menu = page.getByRole('dialog', { name: 'Columns' })
  await expect.element(menu.getByRole('checkbox', { name: 'Number of vehicles' })).toBeVisible()
})

test('the kind, the months and the distance of a warranty are columns', async () => {
  openAgreements([exchange])
  await page.getByRole('button', { name: 'Columns' }).click()
  const menu = page.getByRole('dialog', { name: 'Columns' })
  for (const name of ['Warranty', 'Warranty months', 'Warranty distance'])
    await menu.getByRole('checkbox', { name, exact: true }).click()
  await expect.element(page.getByRole('row', { name: /Dealer 12 10,000/ })).toBeVisible()
})

test('the columns of the totals have the names that the page of an agreement has for them', async () => {
  openAgreements([exchange])
  await page.getByRole('button', { name: 'Columns' }).click()
  const menu = page.getByRole('dialog', { name: 'Columns' })
  await expect.element(menu.getByRole('checkbox', { name: 'Vehicles out' })).toBeVisible()
  await expect.element(menu.getByRole('checkbox', { name: 'Vehicles in' })).toBeVisible()
})

test('the history shows a changed price under vehicles and prices, with the name of the vehicle', async () => {
  const changes = [change('legs', [leg(1)], [leg(1, { price: 18500 })])]
  serveHistory([entry(1, { resource: 'agreements', record_id: exchange.agreement_id, changes })])
  openAgreement(exchange)
  const history = page.getByRole('region', { name: 'History' })
  await expect.element(history.getByRole('term')).toHaveTextContent('Vehicles and prices')
  await expect
    .element(history.getByRole('definition'))
    .toHaveTextContent(/Volvo V60, AB12 CDB: Out £18,995.*Volvo V60, AB12 CDB: Out £18,500/)
})

test('a cancelled agreement shows its prices, but no amount to pay and no margin', async () => {
  openAgreement({ ...exchange, state: 'Cancelled' }, { vehicles: [bought, vehicle(2)] })
  const totals = page.getByRole('region', { name: /^Vehicles/ }).getByRole('definition')
  await expect.poll(() => textsOf(totals)).toEqual(['£18,995.00', '−£4,000.00', '−£1,000.00'])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const sums = 'Vehicles out £18,995.00 · Vehicles in −£4,000.00 · Deposit −£1,000.00'
  await expect.element(page.getByRole('dialog').getByText(sums, { exact: true })).toBeVisible()
  expect(page.getByText(/^Margin of this agreement/).elements()).toHaveLength(0)
})

test('the deposit that the dealer has paid for a purchase is added', async () => {
  const legs = [leg(1, { direction: 'In', price: 4000 })]
  openAgreement(
    agreement(1, { type: 'Purchase', legs, out_total: 0, in_total: 4000, deposit: 1000, to_pay: -3000 }),
  )
  const totals = page.getByRole('region', { name: /^Vehicles/ }).getByRole('definition')
  await expect.poll(() => textsOf(totals)).toEqual(['−£4,000.00', '£1,000.00', '£3,000.00'])
})

test('the parties are the customer, with call and mail, and the corporation', async () => {
  openAgreement(exchange)
  const title = page.getByRole('heading', { name: 'Parties' })
  await expect.element(title).toBeVisible()
  const parties = title.element().closest('section')
  await expect.poll(() => parties?.textContent).toMatch(/Maja Holm 71.*Buyer.*C-1071 · Private person/)
  await expect
    .element(page.getByRole('link', { name: '+46 70 123 45 71' }))
    .toHaveAttribute('href', 'tel:+46701234571')
  await expect
    .element(page.getByRole('link', { name: 'Email Maja Holm 71' }))
    .toHaveAttribute('href', 'mailto:maja71@mail.example')
  expect(parties?.textContent).toContain('Nordbil ABSeller')
})

test('an agreement names an erased customer as it has the name, without call and mail', async () => {
  openAgreement(exchange)
  const left = { name: 'Erased', telephone: 'Erased', email: 'erased@erased.invalid' }
  const data = [customer(71, { customer_id: exchange.customer_id, ...left })]
  network.on('GET /api/customers', () => ({ body: { success: true, data, totalItems: 1, totalPages: 1 } }))
  const title = page.getByRole('heading', { name: 'Parties' })
  await expect.element(title).toBeVisible()
  const parties = title.element().closest('section')
  await expect.poll(() => parties?.textContent).toMatch(/Maja Holm 71.*Buyer.*C-1071/)
  expect(parties?.textContent).not.toMatch(/erased/i)
  expect(parties?.querySelectorAll('a[href^="tel:"], a[href^="mailto:"]')).toHaveLength(0)
})

test('on a phone the button of a long number is no wider than its card', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openAgreement(exchange)
  const telephone = '+46 (0)70-123 45 67 / +46 (0)8-123 456 78 (weekdays only)'
  const data = [customer(71, { customer_id: exchange.customer_id, telephone })]
  network.on('GET /api/customers', () => ({ body: { success: true, data, totalItems: 1, totalPages: 1 } }))
  const call = page.getByRole('link', { name: telephone })
  await expect.element(call).toBeVisible()
  await expect.element(call).toHaveAttribute('title', telephone)
  const right = (element: Element | null) => element?.getBoundingClientRect().right ?? 0
  expect(right(call.element())).toBeLessThanOrEqual(right(call.element().closest('.card')))
  expect(document.documentElement.scrollWidth).toBe(360)
})

test('on a phone with twice the text size, the words of vehicles, names and numbers do not break', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(180, 370)
  openAgreement(agreement(1))
  for (const name of ['Volvo V60, AB12 CDB', 'Maja Holm 71', '+46 70 123 45 71']) {
    const link = page.getByRole('link', { name, exact: true })
    await expect.element(link).toBeVisible()
    const range = document.createRange()
    range.selectNodeContents(link.element().querySelector('span') ?? link.element())
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
    expect(lines.size, `lines of ${name}`).toBeLessThanOrEqual(name.split(' ').length)
  }
})

test('without permission to read costs, no incoming prices or margin are shown', async () => {
  const hidden = {
    ...exchange,
    legs: [leg(1), leg(2, { direction: 'In', price: undefined })],
    in_total: undefined,
    to_pay: undefined,
  }
  openAgreement(hidden, { vehicles: [vehicle(1), vehicle(2)], costs: noPermissions })
  const rows = page.getByRole('region', { name: /^Vehicles/ }).getByRole('listitem')
  await expect.element(rows.last()).toHaveTextContent(/In.*Hidden/)
  await expect
    .element(page.getByText('Only roles with Costs and margins can see the prices of vehicles taken in.'))
    .toBeVisible()
  expect(page.getByText(/^Margin of this agreement/).elements()).toHaveLength(0)
  expect(page.getByText('To pay at delivery').elements()).toHaveLength(0)
})

test.each([
  [false, "your corporation doesn't have this module. See who to ask for it"],
  [true, "you don't have access to vehicles. Ask an administrator for access."],
])('without access, an agreement says why it has no vehicles (included: %s)', async (allowed, why) => {
  openAgreement(agreement(1, { vehicles: '', legs: [] }), { vehiclesResource: noVehicles(allowed) })
  const card = page.getByRole('region', { name: /^Vehicles/ })
  await expect.element(card.getByText(/^You can't choose vehicles/)).toBeVisible()
  await expect.element(card).toHaveTextContent(`You can't choose vehicles because ${why}`)
  expect(card.getByText(/Edit the agreement to add one/).elements()).toHaveLength(0)
})

test('cancelling an agreement whose vehicles are unknown does not say what happens to them', async () => {
  openAgreement(agreement(1, { state: 'Signed' }), { vehiclesResource: noVehicles(true) })
  await page.getByRole('button', { name: 'Cancel…', exact: true }).click()
  const question = page
    .getByRole('dialog')
    .getByText('A cancelled agreement stays cancelled.', { exact: true })
  await expect.element(question).toBeVisible()
})

test('the distance of a warranty is formatted like a mileage', async () => {
  openAgreement({ ...exchange, warranty: { kind: 'Dealer', months: 12, distance: 5000 } })
  await expect.element(page.getByText('Dealer, 12 months, 5000 mi')).toBeVisible()
})

test('an agency shows its commission as an amount, and that the buyer pays', async () => {
  const agency = agreement(1, {
    type: 'Agency',
    legs: [leg(1, { direction: 'Brokered', price: 18995 })],
    commission_percent: 6.5,
    commission_amount: 1234.68,
  })
  openAgreement(agency, { vehicles: [vehicle(1)] })
  await expect.element(page.getByText('£1,234.68 (6.5%)')).toBeVisible()
  await expect.element(page.getByText('The buyer pays at delivery')).toBeVisible()
})

test('a typed price stays when another user has changed only the notes', async () => {
  openAgreement(agreement(1))
  const present = agreement(1, { notes: 'Two keys', version: 5 })
  const path = `/api/agreements/${idOf(1)}`
  network.on(`PUT ${path}`, ({ body }) =>
    (body as { version: number }).version === 5
      ? { body: { success: true, message: '', data: present } }
      : errorResponse(409, 'Conflict', { data: present }),
  )
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit agreement' })
  const price = form.getByRole('group', { name: 'Volvo V60, AB12 CDB', exact: true }).getByLabelText('Price')
  const save = form.getByRole('button', { name: 'Save changes' })
  await price.fill('12345.67')
  await save.click()
  await expect.element(form.getByText('Their changes, already applied')).toBeVisible()
  await expect.element(price).toHaveValue('12345.67')
  await save.click()
  await expect.element(form).not.toBeInTheDocument()
  expect(savedBodies('PUT', path).at(-1)).toMatchObject({ legs: [{ price: '12345.67' }], notes: 'Two keys' })
})

test('a typed price is shown as not applied once the agreement is signed', async () => {
  openAgreement(agreement(1))
  const present = agreement(1, { state: 'Signed', version: 5 })
  network.on(`PUT /api/agreements/${idOf(1)}`, () => errorResponse(409, 'Conflict', { data: present }))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit agreement' })
  const price = form.getByRole('group', { name: 'Volvo V60, AB12 CDB', exact: true }).getByLabelText('Price')
  await price.fill('14000')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(form.getByText('Volvo V60, AB12 CDB: Out 14000', { exact: true })).toBeVisible()
  await expect.element(form.getByText('Now: Volvo V60, AB12 CDB: Out 18995')).toBeVisible()
  await expect.element(price).toHaveValue('18995')
  await expect.element(price).toBeDisabled()
  expect(form.getByRole('radio').elements()).toHaveLength(0)
})

test('the vehicles that two users changed are named where one chooses between them', async () => {
  openAgreement(agreement(1))
  const present = agreement(1, { legs: [leg(2, { price: 17000 })], version: 5 })
  network.on(`PUT /api/agreements/${idOf(1)}`, () => errorResponse(409, 'Conflict', { data: present }))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit agreement' })
  const sold = form.getByRole('group', { name: 'Volvo V60, AB12 CDB', exact: true })
  await sold.getByLabelText('Price').fill('18000')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(form.getByText('Volvo V60, AB12 CDB: Out 18000', { exact: true })).toBeVisible()
  await expect.element(form.getByText('Volvo V60, AB12 CDC: Out 17000', { exact: true })).toBeVisible()
})

test('a deleted vehicle is still named', async () => {
  openAgreement(exchange, { vehicles: [vehicle(1)] })
  const rows = page.getByRole('region', { name: /^Vehicles/ }).getByRole('listitem')
  await expect.element(rows.last()).toHaveTextContent(/Volvo V60, AB12 CDC.*This vehicle has been deleted/)
})

test('a vehicle shows its agreements and begins a new one', async () => {
  const app = openAgreements([agreement(1, { state: 'Signed' })], {
    vehicles: [bought],
    address: `/dashboard/vehicles/${bought.vehicle_id}`,
  })
  network.on(`GET /api/vehicles/${bought.vehicle_id}`, () => ({ body: { success: true, data: bought } }))
  const card = page.getByRole('region', { name: 'Agreements' })
  await expect.element(card.getByRole('link', { name: 'SA-1001' })).toBeVisible()
  await card.getByRole('button', { name: 'New agreement' }).click()
  await expect.poll(app.address).toBe('/dashboard/agreements')
  const form = page.getByRole('dialog', { name: 'New agreement' })
  const group = form.getByRole('group', { name: 'Volvo V60, AB12 CDB', exact: true })
  await expect.element(group.getByLabelText('Price')).toHaveValue('18995')
})

test('all agreements of a vehicle are listed by its id, and the filter is removed', async () => {
  const all = [1, 2, 3, 4, 5, 6].map(number => agreement(number, { state: 'Signed' }))
  const app = openAgreements([...all, agreement(7, { legs: [] })], {
    vehicles: [bought],
    address: `/dashboard/vehicles/${bought.vehicle_id}`,
  })
  const path = `GET /api/vehicles/${bought.vehicle_id}`
  network.on(path, () => ({ body: { success: true, data: bought } }))
  await page.getByRole('link', { name: 'Show all 6 agreements' }).click()
  await expect.poll(app.address).toBe(`/dashboard/agreements?vehicle_id=${bought.vehicle_id}`)
  const filter = page.getByRole('link', { name: /^With Volvo V60, AB12 CDB/ })
  await expect.element(filter).toBeVisible()
  await expect.element(page.getByRole('row', { name: /SA-1006/ })).toBeVisible()
  expect(page.getByRole('row', { name: /SA-1007/ }).elements()).toHaveLength(0)
  await filter.click()
  await expect.poll(app.address).toBe('/dashboard/agreements?view=all')
  await expect.element(page.getByRole('row', { name: /SA-1007/ })).toBeVisible()
})

test('a vehicle whose form never opened is not in the next new agreement', async () => {
  newAgreement.request(bought)
  openAgreements([agreement(1)])
  await page.getByRole('button', { name: 'New agreement' }).first().click()
  const form = page.getByRole('dialog', { name: 'New agreement' })
  await expect.element(form.getByRole('button', { name: 'Create agreement' })).toBeVisible()
  expect(form.getByRole('group', { name: 'Volvo V60, AB12 CDB', exact: true }).elements()).toHaveLength(0)
})

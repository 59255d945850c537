import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agreement, idOf, leg, openAgreements, savedBodies } from '~/test/agreements'
import { recordAnnouncements } from '~/test/announcements'
import { contact } from '~/test/contacts'
import { customer, pageOf } from '~/test/customers'
import { errorResponse, network } from '~/test/network'
import { noPermissions } from '~/test/rights'

const dialog = page.getByRole('dialog')
const removal = (name: string) => dialog.getByRole('button', { name: `Remove ${name}` })

/** Types into a field that adds a vehicle and chooses the first suggestion by keyboard. */
async function addVehicle(label: string, option: RegExp) {
  await dialog.getByRole('combobox', { name: label, exact: true }).click()
  await userEvent.keyboard('volvo')
  await expect.element(page.getByRole('option', { name: option }).first()).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
}

async function edit(one = agreement(1), settings: Parameters<typeof openAgreements>[1] = {}) {
  openAgreements([one], settings)
  await page.getByRole('button', { name: `Edit ${one.number}` }).click()
  await expect.element(dialog.getByRole('button', { name: 'Save changes' })).toBeVisible()
}

test('after a vehicle is removed, the focus is on the next one, or else on the field that adds one', async () => {
  await edit(agreement(1, { legs: [leg(1), leg(2)] }))
  await removal('Volvo V60, AB12 CDB').click()
  await expect.element(removal('Volvo V60, AB12 CDC')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('combobox', { name: 'Add vehicle', exact: true })).toHaveFocus()
})

test('after the customer is removed, the focus is on the field', async () => {
  await edit()
  await removal('the customer').click()
  await expect.element(dialog.getByRole('combobox', { name: 'Customer', exact: true })).toHaveFocus()
})

test('the suggestion of an erased customer shows a word instead of what the erasure has left', async () => {
  await edit()
  const erased = customer(71, { customer_id: idOf(71), name: 'Erased', email: 'erased@erased.invalid' })
  network.on('GET /api/customers', call => pageOf([erased], call))
  await dialog.getByRole('combobox', { name: 'Customer', exact: true }).fill('c-1071')
  await expect.element(page.getByRole('option', { name: /C-1071 · Erased$/ })).toBeVisible()
})

test('a chosen customer and contact are named as not applied once the agreement is delivered', async () => {
  const contacts = [81, 82].map(number => contact(number, { _id: idOf(number) }))
  await edit(agreement(1, { contact_id: idOf(81) }), { contacts })
  const pagination = { currentPage: 1, totalPages: 1, totalContacts: 1 }
  network.on('GET /api/contacts', () => ({ body: { success: true, data: contacts.slice(1), pagination } }))
  const other = customer(72, { customer_id: idOf(72) })
  network.on('GET /api/customers', call => pageOf([other], call))
  await expect.element(dialog.getByRole('combobox', { name: 'Contact' })).toHaveValue('Person 81')
  for (const [label, name] of [
    ['Customer', 'Maja Holm 72'],
    ['Contact', 'Person 82'],
  ] as const) {
    await dialog.getByRole('combobox', { name: label, exact: true }).fill(name)
    await page.getByRole('option', { name }).first().click()
  }
  const data = agreement(1, { contact_id: idOf(81), state: 'Delivered', version: 5 })
  network.on(`PUT /api/agreements/${idOf(1)}`, () => errorResponse(409, 'Conflict', { data }))
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog.getByText('Maja Holm 72', { exact: true })).toBeVisible()
  await expect.element(dialog.getByText('Person 82', { exact: true })).toBeVisible()
  await expect.element(dialog.getByText('Now: Person 81')).toBeVisible()
  expect(dialog.getByText('Now: Linked').elements()).toHaveLength(0)
})

test('the totals are announced once the typing of a price rests', async () => {
  await edit()
  await dialog.getByRole('group', { name: 'Volvo V60, AB12 CDB' }).getByLabelText('Price').click()
  const said = recordAnnouncements()
  await userEvent.keyboard('{Control>}a{/Control}17500')
  await expect.poll(() => said.some(text => text.startsWith('Vehicles out £17,500.00 · '))).toBe(true)
  expect(said.filter(text => /^Vehicles out £(1|17|175|1,750)\.00 · /.test(text))).toEqual([])
})

test('a warranty is saved with the value that was changed and the others', async () => {
  await edit(agreement(1, { warranty: { kind: 'Dealer', months: 12, distance: 10000 } }))
  await dialog.getByLabelText('Warranty months', { exact: true }).fill('24')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [saved] = savedBodies('PUT', `/api/agreements/${idOf(1)}`)
  expect(saved?.warranty).toEqual({ kind: 'Dealer', months: '24', distance: '10000' })
})

test('without the permission to read costs, a vehicle that is bought hides the totals and has no price', async () => {
  await edit(agreement(1, { type: 'Purchase', legs: [], vehicles: '' }), { costs: noPermissions })
  await addVehicle('Add vehicle', /AB12 CDB/)
  await expect.element(dialog.getByRole('group', { name: 'Volvo V60, AB12 CDB' })).toBeVisible()
  expect(dialog.getByText(/^Vehicles out/).elements()).toHaveLength(0)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('PUT', `/api/agreements/${idOf(1)}`)[0]?.legs).toEqual([
    { vehicle_id: idOf(1), direction: 'In', vat_scheme: 'Margin' },
  ])
})

test('prices that the user may not see any more are sent only if they were changed', async () => {
  const legs = [leg(1), leg(2, { direction: 'In', price: 4000 }), leg(3, { direction: 'In', price: 5000 })]
  await edit(agreement(1, { legs, minimum_price: 17500 }))
  await dialog.getByRole('group', { name: 'Volvo V60, AB12 CDD' }).getByLabelText('Price').fill('5100')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [saved] = savedBodies('PUT', `/api/agreements/${idOf(1)}`)
  expect(saved).not.toHaveProperty('minimum_price')
  expect(saved?.legs).toMatchObject([{ price: '18995' }, { direction: 'In' }, { price: '5100' }])
  const [, unchanged] = (saved?.legs ?? []) as object[]
  expect(unchanged).not.toHaveProperty('price')
})

test('a stored part-exchange that is removed and added as a sale is saved as a sale', async () => {
  await edit(agreement(1, { legs: [leg(1, { direction: 'In' })] }))
  await removal('Volvo V60, AB12 CDB').click()
  await addVehicle('Add vehicle', /AB12 CDB/)
  await expect.element(removal('Volvo V60, AB12 CDB')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(savedBodies('PUT', `/api/agreements/${idOf(1)}`)).toMatchObject([
    { legs: [{ vehicle_id: idOf(1), direction: 'Out' }] },
  ])
})

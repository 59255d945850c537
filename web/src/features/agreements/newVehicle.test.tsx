import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { VehicleInput } from '~/core'
import { drafts } from '~/lib/drafts'
import { sessionVersion } from '~/lib/session'
import { idOf, openAgreements, savedBodies, vehicle } from '~/test/agreements'
import { delayResponse, errorResponse, network } from '~/test/network'
import { moduleResource } from '~/test/open'
import { savedBodiesOf } from '~/test/records'
import { readPermission } from '~/test/rights'
import { kind } from './kind'

const agreementForm = page.getByRole('dialog', { name: 'New agreement' })
const vehicleForm = page.getByRole('dialog', { name: 'New vehicle' })
const adder = (name: string) => page.getByRole('combobox', { name, exact: true })
const partExchange = adder('Add part-exchange')
const creation = page.getByRole('option', { name: 'Create vehicle' })
const vehicleField = (name: string) => vehicleForm.getByLabelText(name, { exact: true })
const savedVehicles = savedBodiesOf<VehicleInput>('/api/vehicles')

/** Opens the form of a new agreement, and types into the field that adds a vehicle. */
async function search(
  field: typeof partExchange,
  text: string,
  settings: Parameters<typeof openAgreements>[1],
) {
  const app = openAgreements([], settings)
  await page.getByRole('button', { name: 'New agreement' }).first().click()
  await field.fill(text)
  return app
}

test('a part-exchange that no vehicle matches is created as expected, and added to the agreement', async () => {
  await search(partExchange, 'ab12 cdc', { vehicles: [] })
  const created = vehicle(2, { status: 'Expected' })
  network.on('POST /api/vehicles', () => ({
    status: 201,
    body: { success: true, message: '', data: created },
  }))
  await agreementForm.getByLabelText('Notes').fill('Two keys')
  await partExchange.fill('ab12 cdc ')
  await expect.element(creation).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(vehicleField('Registration number')).toHaveValue('ab12 cdc')
  await expect.element(vehicleField('Status')).toHaveTextContent('Expected')
  await vehicleField('Make').fill('Volvo')
  await vehicleForm.getByRole('button', { name: 'Create vehicle' }).click()
  const leg = agreementForm.getByRole('group', { name: created.name, exact: true })
  await expect.element(leg.getByLabelText('Price')).toHaveFocus()
  await expect.element(partExchange).toHaveValue('')
  expect(savedVehicles('POST')).toMatchObject([
    { registration_number: 'ab12 cdc', make: 'Volvo', status: 'Expected' },
  ])
  expect(savedBodies('POST')).toHaveLength(0)
  await agreementForm.getByRole('button', { name: 'Create agreement' }).click()
  await expect
    .poll(() => savedBodies('POST'))
    .toMatchObject([{ legs: [{ vehicle_id: idOf(2), direction: 'In' }], notes: 'Two keys' }])
})

test.each([
  ['Sales', 'In stock'],
  ['Purchase', 'Expected'],
])('in an agreement of type %s a vehicle is created as %s, also if others match', async (type, status) => {
  await search(adder('Add vehicle'), 'volvo', { vehicles: [vehicle(1)] })
  await agreementForm.getByLabelText('Type', { exact: true }).click()
  await page.getByRole('option', { name: type, exact: true }).click()
  await adder('Add vehicle').fill('volvo v')
  await expect.element(page.getByRole('option', { name: /AB12 CDB/ })).toBeVisible()
  await creation.click()
  await expect.element(vehicleField('Status')).toHaveTextContent(status)
  // What was typed is no registration number.
  await expect.element(vehicleField('Registration number')).toHaveValue('')
})

test('Escape closes only the form of the vehicle, and keeps what was typed in the agreement', async () => {
  await search(partExchange, 'ab12 cdc', { vehicles: [] })
  await creation.click()
  await expect.element(vehicleField('Registration number')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(vehicleForm).not.toBeInTheDocument()
  await expect.element(partExchange).toHaveValue('ab12 cdc')
  await expect.element(partExchange).toHaveFocus()
})

test('the new vehicle has another draft than that of the page of vehicles', async () => {
  onTestFinished(() => drafts.forget('vehicle '))
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save('vehicle ', { typed: { make: { value: 'Saab', base: '' } } })
  await search(partExchange, 'ab12 cdc', { vehicles: [] })
  await creation.click()
  await expect.element(vehicleField('Make')).toHaveValue('')
  await vehicleField('Make').fill('Volvo')
  await expect
    .poll(() => drafts.read('agreement  part_exchange ab12 cdc'))
    .toMatchObject({ typed: { make: { value: 'Volvo' } } })
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(partExchange).toHaveValue('ab12 cdc')
  await expect.poll(() => drafts.read('agreement  part_exchange ab12 cdc')).toBeUndefined()
  expect(drafts.read('vehicle ')).toMatchObject({ typed: { make: { value: 'Saab' } } })
})

test('a second new vehicle does not begin with the draft of the first one', async () => {
  const [first, second] = ['agreement  part_exchange ab12 cdb', 'agreement  part_exchange ab12 cdc']
  onTestFinished(() => [first, second].forEach(drafts.forget))
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save(first, { typed: { make: { value: 'Saab', base: '' } } })
  await search(partExchange, 'ab12 cdc', { vehicles: [] })
  await creation.click()
  await expect.element(vehicleField('Registration number')).toHaveValue('ab12 cdc')
  await expect.element(vehicleField('Make')).toHaveValue('')
})

test('leaving the page asks once, also while the new vehicle is saved and after it is closed', async () => {
  const warn = vi.spyOn(console, 'warn')
  onTestFinished(() => warn.mockRestore())
  const app = await search(partExchange, 'ab12 cdc', { vehicles: [] })
  const keep = page.getByRole('button', { name: 'Keep editing' })
  const expectQuestion = async () => {
    void app.visit('/dashboard/vehicles')
    await expect.element(keep).toBeVisible()
    await keep.click()
    await expect.element(keep).not.toBeInTheDocument()
    expect(app.address()).toBe('/dashboard/agreements')
  }
  await creation.click()
  await vehicleField('Make').fill('Volvo')
  await expectQuestion()
  const release = delayResponse('POST /api/vehicles', () => errorResponse(400, 'The trial is full.'))
  await vehicleForm.getByRole('button', { name: 'Create vehicle' }).click()
  await expectQuestion()
  release()
  await expect.element(vehicleForm.getByText('The trial is full.')).toBeVisible()
  await vehicleForm.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(vehicleForm).not.toBeInTheDocument()
  await expectQuestion()
  expect(warn.mock.calls.flat().filter(text => /one blocker/.test(String(text)))).toEqual([])
})

test('discarding on leaving the page closes both forms before the next page opens', async () => {
  const keys = [kind.draftOf(), `${kind.draftOf()}part_exchange ab12 cdc`]
  const stored = () => keys.filter(key => drafts.read(key))
  const app = await search(partExchange, 'ab12 cdc', { vehicles: [] })
  await creation.click()
  await vehicleField('Make').fill('Volvo')
  await expect.poll(stored).toEqual(keys)
  // The next page waits for the session, which is requested again.
  onTestFinished(() => sessionVersion.markSeen(sessionVersion.count()))
  sessionVersion.markSeen(-1)
  const release = delayResponse('GET /api/auth/profile/detail', () =>
    errorResponse(503, 'The server is busy.'),
  )
  void app.visit('/dashboard/vehicles')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(agreementForm).not.toBeInTheDocument()
  await expect.poll(stored).toEqual([])
  expect(app.address()).toBe('/dashboard/agreements')
  release()
  await expect.poll(app.address).toBe('/dashboard/vehicles')
})

test('the new vehicle names one that was sold with the typed registration number', async () => {
  await search(partExchange, 'AB12CDC', { vehicles: [vehicle(2, { status: 'Sold' })] })
  await creation.click()
  await expect.element(vehicleForm).toHaveTextContent(/AB12 CDC \(Sold\) has the same registration number\./)
})

test('without the permission to create vehicles, the form only says where to add them', async () => {
  const vehiclesResource = moduleResource('vehicles', 'Vehicles', readPermission)
  await search(partExchange, 'ab12 cdc', { vehicles: [], vehiclesResource })
  const where = page.getByText('No vehicle matches. Add it under Vehicles first.').last()
  await expect.element(where).toBeVisible()
  expect(creation.elements()).toHaveLength(0)
})

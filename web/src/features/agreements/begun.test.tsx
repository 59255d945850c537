import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openAgreements, vehicle } from '~/test/agreements'
import { errorResponse, network } from '~/test/network'
import { open, unload } from '~/test/open'

const first = vehicle(1)
const vehiclePage = `/dashboard/vehicles/${first.vehicle_id}`
const opener = page.getByRole('button', { name: 'New agreement' }).first()
const form = page.getByRole('dialog', { name: 'New agreement' })
const notes = form.getByRole('textbox', { name: 'Notes' })

/** Opens the page of the vehicle. */
function openVehicle() {
  openAgreements([], { vehicles: [first], address: vehiclePage })
  network.on(`GET /api/vehicles/${first.vehicle_id}`, () => ({ body: { success: true, data: first } }))
}

test.each([
  { where: 'the list', address: '/dashboard/agreements' },
  { where: 'the page of the vehicle', address: vehiclePage },
])('an agreement begun from a vehicle is a draft on $where after a reload', async ({ address }) => {
  openVehicle()
  await opener.click()
  await notes.fill('Winter tyres')
  await unload()
  open(address)
  await expect.element(opener).toHaveTextContent('Draft')
  await opener.click()
  await expect.element(form.getByText('Draft restored.')).toBeVisible()
  await expect.element(notes).toHaveValue('Winter tyres')
  const group = form.getByRole('group', { name: 'Volvo V60, AB12 CDB', exact: true })
  await expect.element(group.getByLabelText('Price')).toHaveValue('18995')
})

test('after the list has discarded the draft, the vehicle begins another agreement', async () => {
  openVehicle()
  network.on('POST /api/agreements', () => errorResponse(503, 'The server is busy.'))
  const fillAndSave = async (text: string) => {
    await notes.fill(text)
    await form.getByRole('button', { name: 'Create agreement' }).click()
    await expect.element(form.getByText('The server is busy.')).toBeVisible()
  }
  const keys = () =>
    network.requests('/api/agreements').flatMap(({ method, key }) => (method === 'POST' ? [key] : []))
  await opener.click()
  await fillAndSave('Winter tyres')
  await unload()
  open('/dashboard/agreements')
  await opener.click()
  await form.getByRole('button', { name: 'Discard draft' }).click()
  await fillAndSave('Summer tyres')
  await unload()
  open(vehiclePage)
  await expect.element(opener).not.toHaveTextContent('Draft')
  await opener.click()
  await expect.element(notes).toHaveValue('')
  await fillAndSave('Two keys')
  expect(new Set(keys()).size).toBe(3)
})

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
const keysOfCreations = () =>
  network.requests('/api/agreements').flatMap(({ method, key }) => (method === 'POST' ? [key] : []))

/** Opens the page of the vehicle. The server answers a creation with 503, so the app doesn't know its outcome. */
function openVehicle() {
  openAgreements([], { vehicles: [first], address: vehiclePage })
  network.on(`GET /api/vehicles/${first.vehicle_id}`, () => ({ body: { success: true, data: first } }))
  network.on('POST /api/agreements', () => errorResponse(503, 'The server is busy.'))
}

async function saveInVain() {
  await form.getByRole('button', { name: 'Create agreement' }).click()
  await expect.element(form.getByText('The server is busy.')).toBeVisible()
}

async function fillAndSave(text: string) {
  await notes.fill(text)
  await saveInVain()
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

test('the list sends a begun agreement whose response was lost again with its key', async () => {
  openVehicle()
  await opener.click()
  await fillAndSave('Winter tyres')
  await unload()
  open('/dashboard/agreements')
  await opener.click()
  await expect.element(notes).toHaveValue('Winter tyres')
  await saveInVain()
  const keys = keysOfCreations()
  expect(keys).toEqual([keys[0], keys[0]])
})

test('after the list has discarded the draft, the vehicle begins another agreement', async () => {
  openVehicle()
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
  expect(new Set(keysOfCreations()).size).toBe(3)
})

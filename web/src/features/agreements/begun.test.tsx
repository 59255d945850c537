import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openAgreements, vehicle } from '~/test/agreements'
import { network } from '~/test/network'
import { open, unload } from '~/test/open'

const first = vehicle(1)
const vehiclePage = `/dashboard/vehicles/${first.vehicle_id}`
const opener = page.getByRole('button', { name: 'New agreement' }).first()
const form = page.getByRole('dialog', { name: 'New agreement' })
const notes = form.getByRole('textbox', { name: 'Notes' })

test.each([
  { where: 'the list', address: '/dashboard/agreements' },
  { where: 'the page of the vehicle', address: vehiclePage },
])('an agreement begun from a vehicle is a draft on $where after a reload', async ({ address }) => {
  openAgreements([], { vehicles: [first], address: vehiclePage })
  network.on(`GET /api/vehicles/${first.vehicle_id}`, () => ({ body: { success: true, data: first } }))
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

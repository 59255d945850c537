import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drafts } from '~/lib/drafts'
import { network } from '~/test/network'
import { readPermission } from '~/test/rights'
import { createPicture } from '~/test/settings'
import { choosePhotos, openVehicles, servePhotos, vehicle } from '~/test/vehicles'

test('photos of a new vehicle are sent when it is saved', async () => {
  openVehicles([])
  const path = servePhotos(vehicle(1))
  await page.getByRole('button', { name: 'New vehicle' }).first().click()
  const form = page.getByRole('dialog')
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'))
  await expect.element(form.getByRole('list', { name: 'Chosen photos' })).toBeVisible()
  await form.getByLabelText('Registration number').fill('AB12 CDE')
  await form.getByRole('button', { name: 'Create vehicle' }).click()
  await expect.poll(() => network.forms(path)).toHaveLength(1)
  await expect.element(form).not.toBeInTheDocument()
})

test('chosen photos are announced, and after one is left out the focus is on another, or on Add photos', async () => {
  openVehicles([])
  await page.getByRole('button', { name: 'New vehicle' }).first().click()
  const form = page.getByRole('dialog')
  const chosen = ['front', 'side', 'rear'].map(async name => {
    const picture = await createPicture(40, 30, 'image/jpeg')
    return new File([picture], `${name}.jpg`, { type: picture.type })
  })
  await choosePhotos(...(await Promise.all(chosen)))
  await expect.element(form.getByText('3 photos chosen')).toBeInTheDocument()
  const removal = (name: string) => form.getByRole('button', { name: `Leave out photo ${name}` })
  await removal('2 of 3, side.jpg').click()
  await expect.element(removal('2 of 2, rear.jpg')).toHaveFocus()
  await expect.element(form.getByText('2 photos chosen')).toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(removal('1 of 1, front.jpg')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(form.getByRole('button', { name: 'Add photos' })).toHaveFocus()
})

test('a file that is no photo is left out of the form of a new vehicle, and a message says why', async () => {
  openVehicles([])
  await page.getByRole('button', { name: 'New vehicle' }).first().click()
  const form = page.getByRole('dialog')
  const files = [new File(['Two keys'], 'notes.txt'), await createPicture(40, 30, 'image/jpeg')]
  await choosePhotos(...files)
  await expect.element(page.getByText('notes.txt was left out')).toBeVisible()
  await expect.element(page.getByText(/^This file is not a PNG or JPEG\./)).toBeVisible()
  const chosen = form.getByRole('list', { name: 'Chosen photos' })
  expect(chosen.getByRole('listitem').elements()).toHaveLength(1)
  await expect.element(chosen.getByText('Cover')).toBeVisible()
})

test('after a reload, the form of a new vehicle says that its photos were lost', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save('vehicle ', { typed: { make: { value: 'Volvo', base: '' } } })
  drafts.save('vehicle photos', 2)
  openVehicles([])
  servePhotos(vehicle(1))
  await page.getByRole('button', { name: 'New vehicle' }).first().click()
  const form = page.getByRole('dialog')
  const note = form.getByText('Draft restored. The photos were not saved with the draft. Add them again.')
  await expect.element(note).toBeVisible()
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'))
  await expect.element(note).not.toBeInTheDocument()
  await expect.element(form.getByText('Draft restored.')).toBeVisible()
  expect(drafts.read('vehicle photos')).toBe(1)
  await form.getByLabelText('Registration number').fill('AB12 CDE')
  await form.getByRole('button', { name: 'Create vehicle' }).click()
  await expect.element(form).not.toBeInTheDocument()
  expect(drafts.read('vehicle photos')).toBeUndefined()
})

test('a user who may create vehicles but not change them is offered no photos for a new one', async () => {
  openVehicles([], '/dashboard/vehicles', { ...readPermission, can_create: true })
  await page.getByRole('button', { name: 'New vehicle' }).first().click()
  const form = page.getByRole('dialog')
  await expect.element(form.getByLabelText('Registration number')).toBeVisible()
  expect(form.getByRole('button', { name: 'Add photos' }).elements()).toHaveLength(0)
})

import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Vehicle } from '~/core'
import { SETTLE_MS } from '~/lib/live'
import { delayResponse, errorResponse, network } from '~/test/network'
import { createPicture } from '~/test/settings'
import { failNetwork } from '~/test/signIn'
import { choosePhotos, openVehicles, photo, servePhotos, vehicle } from '~/test/vehicles'

test('a photo that is sent while its vehicle loads again stays on the page', async () => {
  const shown = vehicle(1, { photos: [photo(1), photo(2)], photo_count: 2 })
  openVehicles([shown], '/dashboard/vehicles/v-1')
  const path = servePhotos(shown)
  const forward = page.getByRole('button', { name: 'Move photo forward' })
  await expect.element(forward).toBeVisible()
  const loads = () => network.requests('/api/vehicles/v-1').length
  const before = loads()
  const delayLoad = (data: Vehicle) =>
    delayResponse('GET /api/vehicles/v-1', () => ({ body: { success: true, data } }))
  const releaseOlder = delayLoad(shown)
  // After this error, the page loads the vehicle again.
  network.on(`PUT ${path}`, () => errorResponse(409, 'Photos were added or removed meanwhile.'))
  await forward.click()
  await expect.poll(loads).toBe(before + 1)
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'))
  const cover = page.getByText('Cover · 1 of 3')
  await expect.element(cover).toBeVisible()
  const photos = [...shown.photos, photo(3)]
  const releaseNewer = delayLoad({ ...shown, photos, photo_count: 3, location: 'Hall 2' })
  releaseOlder()
  await expect.poll(loads).toBe(before + 2)
  expect(cover.elements()).toHaveLength(1)
  releaseNewer()
  await expect.element(page.getByText('Hall 2')).toBeVisible()
})

test('photos that the user adds on another device appear on the page', async () => {
  openVehicles([vehicle(1)], '/dashboard/vehicles/v-1')
  await expect.element(page.getByText('No photos yet')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  servePhotos(vehicle(1, { photos: [photo(1)] }))
  const tab = new BroadcastChannel('forecourt-live u1')
  onTestFinished(() => tab.close())
  tab.postMessage({ type: 'changed', resource: 'vehicles', ids: ['v-1'], action: 'updated', by: 'u1' })
  await expect
    .poll(() => {
      vi.advanceTimersByTime(SETTLE_MS)
      return page.getByText('Cover · 1 of 1').elements()
    })
    .toHaveLength(1)
})

test('a photo that was removed although the response was lost counts as removed on the next attempt', async () => {
  const shown = vehicle(1, { photos: [photo(1), photo(2)], photo_count: 2 })
  openVehicles([shown], '/dashboard/vehicles/v-1')
  const path = servePhotos(shown)
  const remove = async () => {
    await page.getByRole('button', { name: 'Remove photo…' }).click()
    await page.getByRole('button', { name: 'Remove photo', exact: true }).click()
  }
  network.on(`DELETE ${path}/p-1`, failNetwork)
  await remove()
  await expect.poll(() => network.requests(`${path}/p-1`)).toHaveLength(1)
  servePhotos({ ...shown, photos: [photo(2)] })
  network.on(`DELETE ${path}/p-1`, () => errorResponse(404, 'Not found.'))
  await remove()
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
  await expect.element(page.getByText('Photo removed')).toBeInTheDocument()
  expect(page.getByText('Not found.').elements()).toHaveLength(0)
})

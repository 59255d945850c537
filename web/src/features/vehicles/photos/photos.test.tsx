import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core } from '~/core'
import { checkConnection } from '~/lib/connection'
import { SETTLE_MS } from '~/lib/live'
import { recordAnnouncements } from '~/test/announcements'
import { disconnect, reconnect } from '~/test/connection'
import { delayResponse, errorResponse, network } from '~/test/network'
import { textsOf } from '~/test/open'
import { readPermission } from '~/test/rights'
import { createPicture } from '~/test/settings'
import { choosePhotos, openVehicles, photo, servePhotos, vehicle } from '~/test/vehicles'
import { upload } from './uploads'

const strip = page.getByRole('list', { name: 'All photos' })
const addPhotos = page.getByRole('button', { name: 'Add photos' })

/** Opens the page of a vehicle with `count` photos. Returns the path of its photos in the API. */
function openPhotos(count: number, may?: Parameters<typeof openVehicles>[2]) {
  const photos = Array.from({ length: count }, (_, index) => photo(index + 1))
  const shown = vehicle(1, { photos, photo_count: count })
  openVehicles([shown], '/dashboard/vehicles/v-1', may)
  return servePhotos(shown)
}

const orders = (path: string) =>
  network
    .requests(path)
    .flatMap(({ method, body }) => (method === 'PUT' ? [(body as { order: string[] }).order] : []))

test('chosen photos are sent one after the other and shown', async () => {
  const path = openPhotos(0)
  await expect.element(page.getByText('No photos yet')).toBeVisible()
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'), await createPicture(3000, 10, 'image/png'))
  await expect.poll(() => strip.getByRole('button').elements().length).toBe(2)
  await expect.element(page.getByText('2 photos added')).toBeInTheDocument()
  const sent = network.forms(path).map(form => form.get('photo') as File)
  expect(sent.map(({ type }) => type)).toEqual(['image/jpeg', 'image/jpeg'])
  expect(network.requests(path)[0]?.token).toMatch(/^Bearer /)
  // The second photo, which is large, was scaled down.
  const scaled = await createImageBitmap(sent[1] as File)
  expect([scaled.width, scaled.height]).toEqual([2048, 7])
})

test('screen readers find no file input beside the button that opens it', async () => {
  openPhotos(0)
  await expect.element(addPhotos).toBeVisible()
  const inputs = [...document.querySelectorAll('input[type=file]')]
  expect(inputs.map(input => input.checkVisibility())).toEqual([false, false])
})

test('if the server rejects a photo, the error is shown and the photo can be sent again or discarded', async () => {
  const path = openPhotos(0)
  const message = 'A vehicle has at most 30 photos. Remove one to add another.'
  network.on(`POST ${path}`, () => errorResponse(409, message))
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'), await createPicture(50, 30, 'image/jpeg'))
  const failed = page.getByRole('list', { name: "Photos that couldn't be added" })
  await expect.poll(() => textsOf(failed.getByText(message))).toHaveLength(2)
  await failed.getByRole('button', { name: 'Discard' }).first().click()
  network.on(`POST ${path}`, () => ({
    status: 201,
    body: { success: true, data: vehicle(1, { photos: [photo(1)], photo_count: 1 }) },
  }))
  await failed.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
  expect(failed.getByRole('listitem').elements()).toHaveLength(0)
})

test('a photo that the server can never accept cannot be sent again, and its error is shown once', async () => {
  const path = openPhotos(0)
  const message = 'This file is not a photo that can be read.'
  network.on(`POST ${path}`, () => errorResponse(400, message))
  await choosePhotos(new File(['text'], 'notes.jpg', { type: 'image/jpeg' }))
  const failed = page.getByRole('list', { name: "Photos that couldn't be added" })
  await expect.element(failed.getByText(message)).toBeVisible()
  expect(failed.getByRole('button', { name: 'Try Again' }).elements()).toHaveLength(0)
  // No toast repeats the error.
  expect(page.getByText(message).elements()).toHaveLength(1)
  await failed.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByText(message).elements()).toHaveLength(0)
})

test("a toast says that a photo couldn't be added while the vehicle's page isn't open", async () => {
  openVehicles([])
  const path = servePhotos(vehicle(1))
  const message = 'The server is busy.'
  network.on(`POST ${path}`, () => errorResponse(503, message))
  await page.getByRole('button', { name: 'New vehicle' }).first().click()
  const form = page.getByRole('dialog')
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'))
  await form.getByLabelText('Registration number').fill('AB12 CDE')
  await form.getByRole('button', { name: 'Create vehicle' }).click()
  await expect.element(page.getByText(message).first()).toBeVisible()
  await expect.element(page.getByText("A photo of Volvo V60, AB12 CDB couldn't be added")).toBeVisible()
  // The list says it as long as the photo waits.
  const link = page.getByRole('alert').getByRole('link', { name: 'Volvo V60, AB12 CDB' })
  await expect.element(link).toHaveAttribute('href', '/dashboard/vehicles/v-1')
  expect(page.getByRole('list', { name: "Photos that couldn't be added" }).elements()).toHaveLength(0)
})

test('the list does not offer the photos that are sent from its tab as changes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const shown = vehicle(1, { photos: [photo(1)], photo_count: 1 })
  openVehicles([shown])
  await expect.element(page.getByText(shown.name).first()).toBeVisible()
  vi.advanceTimersByTime(SETTLE_MS)
  const path = servePhotos(shown)
  upload(shown, [await createPicture(40, 30, 'image/jpeg')])
  await expect.poll(() => network.forms(path)).toHaveLength(1)
  const tab = new BroadcastChannel('forecourt-live u1')
  onTestFinished(() => tab.close())
  const change = { type: 'changed', resource: 'vehicles', ids: ['v-1'], action: 'updated' }
  const offer = page.getByRole('button', { name: /Show$/ })
  for (const by of ['u1', 'u2']) tab.postMessage({ ...change, by })
  await expect.element(offer).toHaveTextContent('1 change · Show')
  await vi.advanceTimersByTimeAsync(SETTLE_MS)
  tab.postMessage({ ...change, by: 'u2' })
  await expect.element(offer).toHaveTextContent('2 changes · Show')
})

test('photos of different vehicles that failed have different toasts', async () => {
  openVehicles([])
  await expect.element(page.getByRole('heading', { level: 1, name: 'Vehicles' })).toBeVisible()
  const picture = await createPicture(40, 30, 'image/jpeg')
  for (const each of [vehicle(2), vehicle(3)]) {
    network.on(`POST ${servePhotos(each)}`, () => errorResponse(503, 'The server is busy.'))
    upload(each, [picture])
  }
  for (const name of ['Volvo V60, AB12 CDC', 'Volvo V60, AB12 CDD'])
    await expect.element(page.getByText(`A photo of ${name} couldn't be added`)).toBeVisible()
})

test('a photo whose response was lost is sent again at once if the server is reachable', async () => {
  const path = openPhotos(0)
  let calls = 0
  network.on('GET /api/health', () => ({ body: { success: true, message: '' } }))
  network.on(`POST ${path}`, () => {
    calls += 1
    if (calls === 1) return Promise.reject(new TypeError('reset'))
    return { status: 201, body: { success: true, data: vehicle(1, { photos: [photo(1)], photo_count: 1 }) } }
  })
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'))
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
  expect(calls).toBe(2)
})

test('a photo that was stored although the response was lost is shown when it is discarded', async () => {
  const path = openPhotos(0)
  network.on('GET /api/health', () => ({ body: { success: true, message: '' } }))
  network.on(`POST ${path}`, () => Promise.reject(new TypeError('reset')))
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'))
  const failed = page.getByRole('list', { name: "Photos that couldn't be added" })
  await expect.element(failed.getByRole('button', { name: 'Try Again' })).toBeVisible()
  expect(network.forms(path)).toHaveLength(3)
  network.on('GET /api/vehicles/v-1', () => ({
    body: { success: true, data: vehicle(1, { photos: [photo(1)], photo_count: 1 }) },
  }))
  await failed.getByRole('button', { name: 'Discard' }).click()
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
})

test('photos that wait for the connection are not called failures, and are sent when it returns', async () => {
  openVehicles([])
  await expect.element(page.getByRole('heading', { level: 1, name: 'Vehicles' })).toBeVisible()
  const path = servePhotos(vehicle(2))
  const lost = () => Promise.reject(new TypeError('offline'))
  network.on('GET /api/health', lost)
  network.on(`POST ${path}`, lost)
  upload(vehicle(2), [await createPicture(40, 30, 'image/jpeg')])
  const toast = 'A photo of Volvo V60, AB12 CDC will be sent when the connection returns.'
  await expect.element(page.getByText(toast)).toBeVisible()
  const notice = page.getByText('Some photos will be sent when the connection returns.')
  await expect.element(notice).toBeVisible()
  expect(page.getByText(/couldn't be added/).elements()).toHaveLength(0)
  // The page has noticed the lost connection.
  await expect.poll(() => network.requests('/api/health').length).toBe(1)
  expect(network.forms(path)).toHaveLength(1)
  servePhotos(vehicle(2))
  network.on('GET /api/health', () => ({ body: { success: true, message: '' } }))
  await checkConnection()
  await expect.poll(() => network.forms(path)).toHaveLength(2)
  // By this id the server recognizes a photo that it has stored already.
  const [first, again] = network.forms(path).map(form => form.get('upload_id'))
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toBe(first)
  await expect.element(notice).not.toBeInTheDocument()
})

test("on a vehicle's page, its photos wait for the connection, and can be discarded", async () => {
  const path = openPhotos(0)
  await expect.element(addPhotos).toBeVisible()
  for (const call of ['GET /api/health', 'GET /api/vehicles/v-1', `POST ${path}`])
    network.on(call, () => Promise.reject(new TypeError('offline')))
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'), await createPicture(50, 30, 'image/jpeg'))
  const waiting = page.getByRole('list', { name: 'Photos that wait for the connection' })
  await expect.poll(() => waiting.getByRole('listitem').elements().length).toBe(2)
  expect(page.getByRole('list', { name: "Photos that couldn't be added" }).elements()).toHaveLength(0)
  await waiting.getByRole('button', { name: 'Discard' }).first().click()
  await expect.poll(() => waiting.getByRole('listitem').elements().length).toBe(1)
  servePhotos(vehicle(1))
  network.on('GET /api/health', () => ({ body: { success: true, message: '' } }))
  await checkConnection()
  await expect.element(page.getByText('1 photo added')).toBeInTheDocument()
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
  expect(waiting.elements()).toHaveLength(0)
})

test('the arrow keys select the next or previous photo, and with Alt they move it', async () => {
  const path = openPhotos(3)
  const [first] = [strip.getByRole('button', { name: 'Photo 1 of 3' })]
  await first.click()
  await userEvent.keyboard('{ArrowRight}')
  const second = strip.getByRole('button', { name: 'Photo 2 of 3' })
  await expect.element(second).toHaveFocus()
  await expect.element(page.getByText('2 of 3', { exact: true })).toBeVisible()
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
  await expect.poll(() => orders(path)).toEqual([['p-1', 'p-3', 'p-2']])
  await expect.element(strip.getByRole('button', { name: 'Photo 3 of 3' })).toHaveFocus()
  await page.getByRole('button', { name: 'Make cover' }).click()
  await expect.poll(() => orders(path).at(-1)).toEqual(['p-2', 'p-1', 'p-3'])
  await expect.element(page.getByText('Cover · 1 of 3')).toBeVisible()
})

test('while an order is saved, Alt with an arrow key moves nothing', async () => {
  const path = openPhotos(3)
  const moved = vehicle(1, { photos: [photo(2), photo(1), photo(3)], photo_count: 3 })
  const release = delayResponse(`PUT ${path}`, () => ({ body: { success: true, message: '', data: moved } }))
  await strip.getByRole('button', { name: 'Photo 1 of 3' }).click()
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
  const second = strip.getByRole('button', { name: 'Photo 2 of 3' })
  await expect.element(second).toHaveFocus()
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
  // The focus would follow in the next frame.
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  await expect.element(second).toHaveFocus()
  release()
  await expect.element(page.getByText('Photo 2 of 3', { exact: true })).toBeInTheDocument()
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
  await expect
    .poll(() => orders(path))
    .toEqual([
      ['p-2', 'p-1', 'p-3'],
      ['p-2', 'p-3', 'p-1'],
    ])
})

test('if the photos have changed meanwhile, a new order is undone and a message says why', async () => {
  const path = openPhotos(2)
  const message = 'Photos were added or removed meanwhile.'
  network.on(`PUT ${path}`, () => errorResponse(409, message))
  await page.getByRole('button', { name: 'Move photo forward' }).click()
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(page.getByText('Cover · 1 of 2')).toBeVisible()
  // By the order on which the new one is based, the server recognizes that another user has changed it.
  const input = { order: ['p-2', 'p-1'], before: ['p-1', 'p-2'] }
  expect(network.requests(path).map(({ body }) => body)).toEqual([input])
})

test('a photo is removed after confirming', async () => {
  const path = openPhotos(2)
  await page.getByRole('button', { name: 'Remove photo…' }).click()
  await page.getByRole('button', { name: 'Keep photo' }).click()
  expect(network.requests(`${path}/p-1`)).toHaveLength(0)
  await page.getByRole('button', { name: 'Remove photo…' }).click()
  await page.getByRole('button', { name: 'Remove photo', exact: true }).click()
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
  expect(network.requests(`${path}/p-1`).map(({ method }) => method)).toEqual(['DELETE'])
})

test.each([
  ['moved', [2, 1, 3], ['p-1']],
  ['removed', [2, 3], []],
])(
  'if the photo that would be removed is %s meanwhile, no other photo is removed',
  async (_, left, removed) => {
    const path = openPhotos(2)
    await page.getByRole('button', { name: 'Remove photo…' }).click()
    const confirm = page.getByRole('button', { name: 'Remove photo', exact: true })
    await expect.element(confirm).toBeVisible()
    const shown = vehicle(1, { photos: left.map(photo), photo_count: left.length })
    network.on(`POST ${path}`, () => ({ status: 201, body: { success: true, message: '', data: shown } }))
    upload(shown, [await createPicture(40, 30, 'image/jpeg')])
    // Behind the dialog, the page is hidden from roles.
    await expect
      .poll(() => document.querySelectorAll('[aria-label="All photos"] li').length)
      .toBe(left.length)
    if (removed.length > 0) await confirm.click()
    await expect.element(confirm).not.toBeInTheDocument()
    const requests = left.flatMap(number => network.requests(`${path}/p-${number}`))
    expect(requests.map(({ path: of }) => of.slice(path.length + 1))).toEqual(removed)
  },
)

test('a photo that failed to load has an icon in its place, and loads again on reconnect', async () => {
  openPhotos(2)
  await expect.element(page.getByAltText('Volvo V60, AB12 CDB, 1 of 2')).toBeVisible()
  const images = () => [...document.querySelectorAll('main img')]
  expect(images()).toHaveLength(3)
  for (const image of images()) image.dispatchEvent(new Event('error'))
  await expect.poll(images).toHaveLength(0)
  expect(strip.getByRole('button').first().element().clientHeight, 'the height of a photo').toBe(60)
  disconnect()
  await checkConnection()
  await reconnect()
  await expect.poll(images).toHaveLength(3)
})

test('a user who may only read sees the photos in full size, and no buttons that change them', async () => {
  openPhotos(2, readPermission)
  await page.getByRole('button', { name: 'Show photo 1 of 2 in full size' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(page.getByRole('dialog').getByText('Photo 2 of 2')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(addPhotos.elements()).toHaveLength(0)
  expect(page.getByRole('button', { name: 'Make cover' }).elements()).toHaveLength(0)
})

test('screen readers announce which photo the lightbox shows after a step', async () => {
  openPhotos(3)
  await page.getByRole('button', { name: 'Show photo 1 of 3 in full size' }).click()
  const next = page.getByRole('dialog').getByRole('button', { name: 'Next photo' })
  await expect.element(next).toBeVisible()
  const said = recordAnnouncements()
  await next.click()
  await expect.poll(() => said.filter(text => text.startsWith('Photo'))).toEqual(['Photo 2 of 3'])
})

test('a photo that was chosen after the session had ended is sent when the same user has signed in again', async () => {
  const path = openPhotos(0)
  await expect.element(addPhotos).toBeVisible()
  const ended = () => errorResponse(401, core.texts().general.sessionOver.text)
  network.on(`POST ${path}`, ended)
  network.on('GET /api/auth/profile/detail', ended)
  network.on('POST /api/auth/refresh-token', ended)
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'))
  const failed = page.getByRole('list', { name: "Photos that couldn't be added" })
  await expect.element(failed).toHaveTextContent(core.texts().general.sessionOver.text)
  const sent = network.forms(path).length
  openPhotos(0)
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
  expect(network.forms(path)).toHaveLength(sent + 1)
})

test('signing out asks before photos that wait are lost, and does not send them', async () => {
  const path = openPhotos(0)
  const release = delayResponse(`POST ${path}`, () => errorResponse(503, 'The server is busy.'))
  await choosePhotos(await createPicture(40, 30, 'image/jpeg'), await createPicture(50, 30, 'image/jpeg'))
  await expect.poll(() => network.forms(path)).toHaveLength(1)
  network.on('POST /api/auth/logout', () => ({ body: { success: true, message: 'Signed out successfully' } }))
  await page.getByRole('button', { name: 'Profile menu of Ada Lind' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const question = page.getByRole('alertdialog', { name: 'Sign out anyway?' })
  await expect.element(question).toHaveAccessibleDescription("2 photos haven't been sent.")
  expect(network.requests('/api/auth/logout')).toHaveLength(0)
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect.element(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  release()
  openPhotos(1)
  await expect.element(page.getByText('Cover · 1 of 1')).toBeVisible()
  expect(page.getByRole('list', { name: "Photos that couldn't be added" }).elements()).toHaveLength(0)
  expect(network.forms(path)).toHaveLength(1)
})

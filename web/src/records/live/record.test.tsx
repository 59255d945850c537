import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { onLiveEvent, SETTLE_MS } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import { recordAnnouncements } from '~/test/announcements'
import { customer, openCustomers } from '~/test/customers'
import { delayResponse, errorResponse, network } from '~/test/network'
import { failNetwork } from '~/test/signIn'

const PATH = '/api/customers/c-1'
const edit = page.getByRole('button', { name: 'Edit', exact: true })
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const form = page.getByRole('dialog', { name: 'Edit Customer' })
const address = form.getByLabelText('Address')
const newAddress = page.getByText('Nygatan 9', { exact: true })
const loads = () => network.requests(PATH).length

let tab: BroadcastChannel
/** Sends an event to the page, like the tab that reads the server's stream. */
const send = (event: LiveEvent) => tab.postMessage(event)
const change = (id = 'c-1', by = 'u2') =>
  send({ type: 'changed', resource: 'customers', ids: [id], action: 'updated', by })

beforeEach(() => {
  tab = new BroadcastChannel('forecourt-live u1')
})
afterEach(() => tab.close())

/** Opens the page of a customer whose address another user has changed since. */
async function openChanged() {
  const { server } = openCustomers([customer(1)], { address: '/dashboard/customers/c-1' })
  await expect.element(heading('Maja Holm 1')).toBeVisible()
  server.records = [customer(1, { address: 'Nygatan 9', version: 5 })]
  return server
}

/** Replaces the timers, so that tests can advance them. */
function fakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
}

const focusEdit = () => (edit.element() as HTMLElement).focus()

test('a record shows the change of another user at once, and its form starts from it', async () => {
  await openChanged()
  focusEdit()
  change()
  await expect.element(newAddress).toBeVisible()
  await expect.element(page.getByText('The page shows new changes')).toBeInTheDocument()
  await expect.element(edit).toHaveFocus()
  await edit.click()
  await expect.element(address).toHaveValue('Nygatan 9')
})

test("a record isn't loaded again after a change of another record", async () => {
  await openChanged()
  change('c-2')
  change()
  await expect.element(newAddress).toBeVisible()
  expect(loads()).toBe(2)
})

test('a record shows a change that the user makes in another tab or on another device', async () => {
  await openChanged()
  fakeTimers()
  change('c-1', 'u1')
  await expect
    .poll(() => {
      vi.advanceTimersByTime(SETTLE_MS)
      return newAddress.elements()
    })
    .toHaveLength(1)
})

test('a change that is saved on the page is not announced', async () => {
  const { server } = openCustomers([customer(1)], { address: '/dashboard/customers/c-1' })
  await edit.click()
  await address.fill('Storgatan 100')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('Storgatan 100', { exact: true })).toBeVisible()
  fakeTimers()
  const said = recordAnnouncements()
  const before = loads()
  change('c-1', 'u1')
  await expect
    .poll(() => {
      vi.advanceTimersByTime(SETTLE_MS)
      return loads()
    })
    .toBeGreaterThan(before)
  server.records = [customer(1, { address: 'Nygatan 9', version: 6 })]
  change()
  await expect.element(newAddress).toBeVisible()
  expect(said.filter(text => text === 'The page shows new changes')).toHaveLength(1)
})

test('a value whose response was lost is shown once the form is discarded', async () => {
  const { server } = openCustomers([customer(1)], { address: '/dashboard/customers/c-1' })
  network.on(`PUT ${PATH}`, () => {
    server.records = [customer(1, { address: 'Nygatan 9', version: 5 })]
    return failNetwork()
  })
  await edit.click()
  await address.fill('Nygatan 9')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(form.getByRole('alert')).toBeVisible()
  fakeTimers()
  change('c-1', 'u1')
  // Events arrive in order.
  const user = { id: 'u2', name: 'Bo Ek' }
  send({ type: 'presence', resource: 'customers', id: 'c-1', user, editing: true, asks: false })
  await expect.element(form.getByText('Bo Ek is also editing this record')).toBeVisible()
  vi.advanceTimersByTime(SETTLE_MS)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(newAddress).toBeVisible()
})

test('a record is loaded again after lost events, and announced only if it has changed', async () => {
  const server = await openChanged()
  const said = recordAnnouncements()
  const changed = server.records
  server.records = [customer(1)]
  send({ type: 'reload' })
  await expect.poll(loads).toBe(2)
  server.records = changed
  send({ type: 'reload' })
  await expect.element(newAddress).toBeVisible()
  expect(said.filter(text => text === 'The page shows new changes')).toHaveLength(1)
})

test('changes during a request neither drop its response nor lead to more than one other request', async () => {
  const { records } = await openChanged()
  const respond = (data = records[0]) => ({ body: { success: true, data } })
  const before = loads()
  const release = delayResponse(`GET ${PATH}`, () => respond())
  change()
  await expect.poll(loads).toBe(before + 1)
  const latest = customer(1, { address: 'Storgatan 100', version: 6 })
  const releaseOther = delayResponse(`GET ${PATH}`, () => respond(latest))
  let heard = 0
  // After the timers that the page sets for the same events.
  const count = () => void setTimeout(() => (heard += 1))
  onTestFinished(onLiveEvent(count))
  change()
  change()
  await expect.poll(() => heard).toBe(2)
  release()
  await expect.element(newAddress).toBeVisible()
  releaseOther()
  await expect.element(page.getByText('Storgatan 100', { exact: true })).toBeVisible()
  // A third request would be sent before the page receives the next event.
  change('c-2')
  await expect.poll(() => heard).toBe(3)
  expect(loads()).toBe(before + 2)
})

test("a record with unsaved input isn't loaded again until the input is discarded", async () => {
  await openChanged()
  await edit.click()
  await address.fill('Storgatan 100')
  const before = loads()
  change()
  // Events arrive in order.
  const user = { id: 'u2', name: 'Bo Ek' }
  send({ type: 'presence', resource: 'customers', id: 'c-1', user, editing: true, asks: false })
  await expect.element(form.getByText('Bo Ek is also editing this record')).toBeVisible()
  expect(loads()).toBe(before)
  await expect.element(address).toHaveValue('Storgatan 100')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(newAddress).toBeVisible()
})

test('the page of a record that another user deletes says so, and its heading gets the focus', async () => {
  const server = await openChanged()
  focusEdit()
  server.records = []
  change()
  await expect.element(heading('Failed to load customer details')).toHaveFocus()
})

test('a record stays if it fails to load again after a change', async () => {
  await openChanged()
  let failures = 0
  network.on(`GET ${PATH}`, () => {
    failures += 1
    return errorResponse(503, 'The server is busy.')
  })
  change()
  await expect.poll(() => failures).toBe(1)
  network.on(`GET ${PATH}`, () => ({ body: { success: true, data: customer(1, { address: 'Nygatan 9' }) } }))
  change()
  await expect.element(newAddress).toBeVisible()
  expect(page.getByText('The server is busy.').elements()).toHaveLength(0)
})

test('a record that fails to load again after a change is requested once more later', async () => {
  const { records } = await openChanged()
  fakeTimers()
  const before = loads()
  network.on(`GET ${PATH}`, () => errorResponse(503, 'The server is busy.'))
  change()
  await expect.poll(loads).toBe(before + 1)
  network.on(`GET ${PATH}`, () => ({ body: { success: true, data: records[0] } }))
  await expect
    .poll(() => {
      vi.advanceTimersByTime(15_000)
      return loads()
    })
    .toBeGreaterThan(before + 1)
  await expect.element(newAddress).toBeVisible()
})

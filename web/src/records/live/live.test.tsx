import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { SETTLE_MS } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import { customer, customers, listRequests, openCustomers } from '~/test/customers'
import { delayResponse, network } from '~/test/network'
import { textsOf } from '~/test/open'
import { ANSWER_PAUSE_MS } from './useEditors'

const PRESENCE = '/api/events/presence'
/** Returns the bodies of the sent announcements. */
const sent = () => network.requests(PRESENCE).map(({ body }) => body)
const own = (editing: boolean, asks = false) => ({ resource: 'customers', id: 'c-1', editing, asks })
const list = page.getByRole('table', { name: 'Customers' })
const offer = page.getByRole('button', { name: /Show$/ })

let tab: BroadcastChannel
/** Sends an event to the page, like the tab that reads the server's stream. */
const send = (event: LiveEvent) => tab.postMessage(event)
const change = (resource: string, ids: string[] | undefined, by = 'u2') =>
  send({ type: 'changed', resource, ids, action: 'updated', by })
const presence = (id: string, editing: boolean, asks = false) =>
  send({ type: 'presence', resource: 'customers', id, user: { id: 'u2', name: 'Bo Ek' }, editing, asks })

beforeEach(() => {
  tab = new BroadcastChannel('forecourt-live u1')
})
afterEach(() => tab.close())

async function openList() {
  const app = openCustomers(customers(2))
  await expect.element(list.getByText('Maja Holm 1')).toBeVisible()
  return app
}

test('a list offers to show the changes of other users, and shows them only on a click', async () => {
  const { server } = await openList()
  change('customers', ['c-1', 'c-2'])
  await expect.element(offer).toHaveTextContent('2 changes · Show')
  change('contacts', ['id-1'])
  change('customers', ['c-1'])
  await expect.element(offer).toHaveTextContent('3 changes · Show')
  expect(listRequests()).toHaveLength(1)
  server.records = [customer(1, { name: 'Ebba Holm' })]
  await offer.click()
  await expect.element(list.getByText('Ebba Holm')).toBeVisible()
  await expect.poll(() => offer.elements()).toHaveLength(0)
  expect(listRequests()).toHaveLength(2)
  await expect.element(page.getByRole('region', { name: 'Customers' })).toHaveFocus()
  await expect.element(page.getByText('The list is up to date')).toBeInTheDocument()
})

test('if the number of changes is unknown, the button says "New changes" without a number', async () => {
  await openList()
  change('customers', ['c-1'])
  await expect.element(offer).toHaveTextContent('1 change · Show')
  change('customers', undefined)
  await expect.element(offer).toHaveTextContent('New changes · Show')
})

test("the records of the user's own import are offered while it runs", async () => {
  await openList()
  send({ type: 'changed', resource: 'customers', ids: undefined, action: 'imported', by: 'u1' })
  await expect.element(offer).toHaveTextContent('New changes · Show')
})

test('after lost events, the button says "New changes" only if the list has changed', async () => {
  const { server } = await openList()
  send({ type: 'reload' })
  await expect.poll(listRequests).toHaveLength(2)
  change('customers', ['c-1'])
  await expect.element(offer).toHaveTextContent('1 change · Show')
  server.records = [customer(1, { name: 'Ebba Holm' })]
  send({ type: 'reload' })
  await expect.element(offer).toHaveTextContent('New changes · Show')
  await expect.element(list.getByText('Maja Holm 1')).toBeVisible()
})

/** Opens the list with a clock that tests can advance, ten minutes ago. */
async function openEarlierList() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const app = await openList()
  vi.advanceTimersByTime(600_000)
  return app
}

test('changes that the user makes in another tab or on another device are counted', async () => {
  await openEarlierList()
  change('customers', ['c-1', 'c-2'], 'u1')
  await expect
    .poll(() => {
      vi.advanceTimersByTime(SETTLE_MS)
      return textsOf(offer)
    })
    .toEqual(['2 changes · Show'])
})

test.each(['before', 'after'])(
  'a change that is saved in the list is not counted if its event arrives %s the response',
  async when => {
    const { server } = await openEarlierList()
    const saved = customer(1, { name: 'Ebba Holm', version: 5 })
    const release = delayResponse('PUT /api/customers/c-1', () => ({
      body: { success: true, message: '', data: saved },
    }))
    await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Customer' })
    await form.getByLabelText('Address').fill('Nygatan 9')
    await form.getByRole('button', { name: 'Save changes' }).click()
    if (when === 'before') {
      change('customers', ['c-1'], 'u1')
      // Events arrive in order.
      presence('c-1', true)
      await expect.element(form.getByText('Bo Ek is also editing this record')).toBeVisible()
    }
    server.records = [saved, customer(2)]
    release()
    await expect.poll(listRequests).toHaveLength(2)
    if (when === 'after') change('customers', ['c-1'], 'u1')
    await expect.element(list.getByText('Ebba Holm')).toBeVisible()
    change('customers', ['c-2'])
    await expect.element(offer).toHaveTextContent('1 change · Show')
    await vi.advanceTimersByTimeAsync(SETTLE_MS)
    change('customers', ['c-2'])
    await expect.element(offer).toHaveTextContent('2 changes · Show')
  },
)

test('a form shows who else edits the record, and announces to others that it is open', async () => {
  await openList()
  // Once an event has arrived, so do the answers of others.
  change('customers', ['c-1'])
  await expect.element(offer).toBeVisible()
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Customer' })
  await expect.element(form.getByLabelText('Address')).toBeVisible()
  const expected = [own(true, true)]
  await expect.poll(sent).toEqual(expected)
  presence('c-2', true, true)
  presence('c-1', true)
  await expect.element(form.getByText('Bo Ek is also editing this record')).toBeVisible()
  // When another user opens a form of the record, even for the second time, this form answers.
  presence('c-1', true, true)
  expected.push(own(true))
  await expect.poll(sent).toEqual(expected)
  presence('c-1', false)
  await expect.poll(() => form.getByText('Bo Ek').elements()).toHaveLength(0)
  // After lost events the form asks again: others may have missed its announcement, and it theirs.
  send({ type: 'reload' })
  expected.push(own(true, true))
  await expect.poll(sent).toEqual(expected)
  await form.getByRole('button', { name: 'Cancel' }).click()
  expected.push(own(false))
  await expect.poll(sent).toEqual(expected)
})

test('a form answers the first question at once, and those of the next seconds together', async () => {
  await openEarlierList()
  change('customers', ['c-1'])
  await expect.element(offer).toBeVisible()
  await page.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Customer' })
  await expect.element(form.getByLabelText('Address')).toBeVisible()
  presence('c-1', true, true)
  const expected = [own(true, true), own(true)]
  await expect.poll(sent).toEqual(expected)
  await expect.element(form.getByText('Bo Ek is also editing this record')).toBeVisible()
  presence('c-1', true, true)
  presence('c-1', true, true)
  // Events arrive in order.
  presence('c-1', false)
  await expect.poll(() => form.getByText('Bo Ek').elements()).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(ANSWER_PAUSE_MS)
  expected.push(own(true))
  await expect.poll(sent).toEqual(expected)
})

import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Agreement } from '~/core'
import { today } from '~/lib/today'
import { agreement, idOf, leg, openAgreement, openAgreements, stepsOf, vehicle } from '~/test/agreements'
import { type ApiResponse, delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert } from '~/test/open'
import { listOf } from '~/test/records'
import { allPermissions, readPermission } from '~/test/rights'
import { failNetwork } from '~/test/signIn'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

test('a draft is offered at once, and the bar shows its new state', async () => {
  const draft = agreement(1)
  openAgreement(draft)
  await expect.element(page.getByRole('heading', { level: 1, name: 'SA-1001 Maja Holm 71' })).toBeVisible()
  await button('Mark as offered').click()
  await expect.element(button('Mark as signed')).toBeVisible()
  expect(stepsOf(draft)).toEqual([{ state: 'Offered', version: 4 }])
  await expect.element(page.getByText('Sales agreement · Offered')).toBeVisible()
  await expect.element(page.getByText('Agreement changed')).toBeVisible()
})

test('a phone shows the states and their days in a legible size, without overlap', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openAgreement(agreement(1, { state: 'Closed', agreed_on: '2026-09-15', delivered_on: '2026-09-24' }))
  const bar = page.getByRole('region', { name: 'State of the agreement' })
  await expect.element(bar.getByText('Delivered')).toBeVisible()
  for (const state of bar.getByRole('listitem').elements()) {
    for (const text of state.querySelectorAll('span span:not(.sr-only)')) {
      expect(Number.parseFloat(getComputedStyle(text).fontSize)).toBeGreaterThanOrEqual(12)
    }
    expect(state.scrollWidth).toBeLessThanOrEqual(state.clientWidth)
  }
})

test('in a narrow window the buttons of the steps wrap', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  // In a window of 320 px, the longer texts of other languages have no space.
  await page.viewport(280, 740)
  openAgreement(agreement(1, { state: 'Signed', agreed_on: '2026-09-15' }))
  await expect.element(button('Mark as delivered')).toBeVisible()
  const [cancel, next] = [button('Cancel…'), button('Mark as delivered')].map(each => each.element())
  expect(next?.scrollWidth).toBe(next?.clientWidth)
  expect(next?.getBoundingClientRect().top).toBeGreaterThan(cancel?.getBoundingClientRect().bottom ?? 0)
  expect(next?.getBoundingClientRect().width).toBe(cancel?.getBoundingClientRect().width)
})

test('what is missing is said above the page, and the step waits for it', async () => {
  const draft = agreement(1, { customer_id: undefined, customer_name: '' })
  openAgreement(draft)
  const offer = button('Mark as offered')
  await expect.element(page.getByText('Complete this before offering.')).toBeVisible()
  await expect.element(offer).toHaveAttribute('aria-disabled', 'true')
  await expect
    .element(offer)
    .toHaveAccessibleDescription('Complete this before offering. Choose a customer first.')
  await offer.click({ force: true })
  expect(stepsOf(draft)).toHaveLength(0)
  await button('Edit agreement').click()
  await expect.element(page.getByRole('dialog', { name: 'Edit agreement' })).toBeVisible()
})

test.each([
  ['leads to the trash if the user may restore it', allPermissions, ['/dashboard/trash?resource=customers']],
  ['has no link if the user may not restore it', readPermission, []],
])('a signed agreement whose customer is deleted %s', async (_, customers, links) => {
  openAgreement(agreement(1, { state: 'Signed', customer_id: undefined }), { customers })
  await expect.element(page.getByText(/customer.* is deleted/)).toBeVisible()
  const found = page.getByRole('link', { name: 'Open the trash' }).elements()
  expect(found.map(link => link.getAttribute('href'))).toEqual(links)
  expect(button('Edit agreement').elements()).toHaveLength(0)
})

test('once nothing is missing any more, the button of the step has the focus', async () => {
  openAgreement(agreement(1, { customer_id: undefined, customer_name: '' }))
  await button('Edit agreement').click()
  await dialog.getByLabelText('Notes').fill('Collects it on Friday')
  for (const method of ['GET', 'PUT']) {
    network.on(`${method} /api/agreements/${idOf(1)}`, () => ({
      body: { success: true, message: '', data: agreement(1, { version: 5 }) },
    }))
  }
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('Complete this before offering.')).not.toBeInTheDocument()
  await expect.element(button('Mark as offered')).toHaveFocus()
})

test.each([
  ['Out', 'Reserved'],
  // Signing does not reserve what is brokered.
  ['Brokered', 'In stock'],
] as const)(
  'a vehicle that another signed agreement has (%s, %s) can not be signed again',
  async (direction, status) => {
    const legs = [leg(1, { direction })]
    const offer = agreement(1, { state: 'Offered', legs })
    openAgreements([offer, agreement(2, { state: 'Signed', legs })], {
      vehicles: [vehicle(1, { status })],
      address: `/dashboard/agreements/${offer.agreement_id}`,
    })
    await expect
      .element(page.getByText('Volvo V60, AB12 CDB is in the signed agreement SA-1002.'))
      .toBeVisible()
    await expect.element(button('Mark as signed')).toHaveAttribute('aria-disabled', 'true')
  },
)

test('signing asks for the day, today by default, and says which vehicles are reserved by it', async () => {
  const offer = agreement(1, { state: 'Offered', legs: [leg(1), leg(2)] })
  openAgreement(offer, { vehicles: [vehicle(1), vehicle(2, { status: 'Reserved' })] })
  await button('Mark as signed').click()
  await expect.element(dialog.getByText('Volvo V60, AB12 CDB becomes Reserved.')).toBeVisible()
  expect(dialog.getByRole('listitem').elements()).toHaveLength(1)
  await expect.element(dialog.getByLabelText('Agreed on')).toHaveValue(today())
  await dialog.getByLabelText('Agreed on').fill('2026-01-15')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(stepsOf(offer)).toEqual([{ state: 'Signed', agreed_on: '2026-01-15', version: 4 }])
})

test('a delivery before the day of the agreement is an error of its field', async () => {
  const signed = agreement(1, {
    state: 'Signed',
    agreed_on: '2026-01-15',
    legs: [leg(1), leg(2, { direction: 'In', price: 4000 })],
  })
  openAgreement(signed, {
    vehicles: [vehicle(1, { status: 'Reserved' }), vehicle(2, { status: 'Expected' })],
  })
  await expect.element(page.getByText('Jan 15, 2026').first()).toBeVisible()
  await button('Mark as delivered').click()
  await expect.element(dialog.getByText('Volvo V60, AB12 CDB becomes Sold.')).toBeVisible()
  const incoming = 'Volvo V60, AB12 CDC becomes In stock. Its purchase price becomes £4,000.00.'
  await expect.element(dialog.getByText(incoming)).toBeVisible()
  await dialog.getByLabelText('Delivered on').fill('')
  await dialog.getByRole('button', { name: 'Mark as delivered' }).click()
  await expect
    .element(dialog.getByLabelText('Delivered on'))
    .toHaveAccessibleDescription('Please enter a valid date')
  await dialog.getByLabelText('Delivered on').fill('2026-01-14')
  await dialog.getByRole('button', { name: 'Mark as delivered' }).click()
  await expect
    .element(dialog.getByLabelText('Delivered on'))
    .toHaveAccessibleDescription("The delivery can't be before the day of the agreement.")
  expect(stepsOf(signed)).toHaveLength(0)
})

test('a delivery says that a vehicle gets the VAT scheme with which it is bought', async () => {
  const legs = [leg(1, { direction: 'In', price: 18000, vat_scheme: 'Standard' })]
  openAgreement(agreement(1, { type: 'Purchase', state: 'Signed', agreed_on: '2026-01-15', legs }))
  await button('Mark as delivered').click()
  const incoming = 'Volvo V60, AB12 CDB stays In stock. VAT scheme: Standard VAT.'
  await expect.element(dialog.getByText(incoming)).toBeVisible()
})

test('signing after the stored day of delivery asks for an earlier day', async () => {
  const offer = agreement(1, { state: 'Offered', delivered_on: '2026-01-10' })
  openAgreement(offer)
  await button('Mark as signed').click()
  await expect.element(dialog.getByLabelText('Agreed on')).toHaveValue('2026-01-10')
  await dialog.getByLabelText('Agreed on').fill('2026-01-11')
  await dialog.getByRole('button', { name: 'Mark as signed' }).click()
  await expect
    .element(dialog.getByLabelText('Agreed on'))
    .toHaveAccessibleDescription("The delivery can't be before the day of the agreement.")
  await dialog.getByLabelText('Agreed on').fill('2026-01-09')
  await dialog.getByRole('button', { name: 'Mark as signed' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(stepsOf(offer)).toEqual([{ state: 'Signed', agreed_on: '2026-01-09', version: 4 }])
})

test('the reason why a step is disabled disappears when the vehicle changes', async () => {
  const offer = agreement(1, { state: 'Offered' })
  const { server } = openAgreement(offer, { vehicles: [vehicle(1, { status: 'Expected' })] })
  const reason = page.getByText('Volvo V60, AB12 CDB is not in stock.')
  await expect.element(reason).toBeVisible()
  server.vehicles = [vehicle(1)]
  const tab = new BroadcastChannel('forecourt-live u1')
  tab.postMessage({ type: 'changed', resource: 'vehicles', ids: [idOf(1)], action: 'updated', by: 'u2' })
  await expect.element(reason).not.toBeInTheDocument()
  await expect.element(button('Mark as signed')).not.toHaveAttribute('aria-disabled', 'true')
  tab.close()
})

test('what can not be deleted has no button for it', async () => {
  const signed = agreement(1, { state: 'Signed', agreed_on: '2026-01-15' })
  openAgreements([signed, agreement(2)], { vehicles: [vehicle(1, { status: 'Reserved' })] })
  await expect.element(button('Delete SA-1002')).toBeVisible()
  expect(button('Delete SA-1001').elements()).toHaveLength(0)
  await page.getByRole('link', { name: 'SA-1001' }).click()
  await expect.element(button('Mark as delivered')).toBeVisible()
  expect(button('More actions').elements()).toHaveLength(0)
})

test('a refused step shows the sentence of the server at the bar', async () => {
  const offer = agreement(1, { state: 'Offered' })
  openAgreement(offer)
  network.on(`POST /api/agreements/${idOf(1)}/state`, () =>
    errorResponse(409, 'Volvo V60, AB12 CDB is in the signed agreement SA-1007.'),
  )
  await button('Mark as signed').click()
  await dialog.getByRole('button', { name: 'Mark as signed' }).click()
  await expectAlert('Volvo V60, AB12 CDB is in the signed agreement SA-1007.')
  await expect.element(dialog).not.toBeInTheDocument()
  // The page shows how the agreement is now.
  await expect.poll(() => network.requests(`/api/agreements/${idOf(1)}`).length).toBe(2)
})

test('a refusal is not repeated once the page says what is missing', async () => {
  const offer = agreement(1, { state: 'Offered' })
  const { server } = openAgreement(offer)
  const sentence = 'Volvo V60, AB12 CDB is not in stock.'
  network.on(`POST /api/agreements/${idOf(1)}/state`, () => errorResponse(409, sentence))
  await button('Mark as signed').click()
  await dialog.getByRole('button', { name: 'Mark as signed' }).click()
  await expectAlert(sentence)
  server.vehicles = [vehicle(1, { status: 'Expected' })]
  changeAnother()
  await expect.element(page.getByText('Complete this before signing.')).toBeVisible()
  await expect.poll(() => page.getByText(sentence).elements().length).toBe(1)
})

test('a step on a changed agreement names who changed it', async () => {
  const offer = agreement(1, { state: 'Offered' })
  openAgreement(offer)
  const last_change = { at: '2026-01-16T08:00:00Z', actor: { id: 'u2', name: 'Ben Berg', type: 'User' } }
  network.on(`POST /api/agreements/${idOf(1)}/state`, () =>
    errorResponse(409, 'Conflict', { data: { ...offer, version: 5, last_change } }),
  )
  await button('Mark as signed').click()
  await dialog.getByRole('button', { name: 'Mark as signed' }).click()
  await expectAlert(/^Ben Berg changed this agreement on Jan 16, 2026/)
})

test('a step that was taken although the response was lost counts as taken on the next attempt', async () => {
  const draft = agreement(1)
  openAgreement(draft)
  const path = `/api/agreements/${draft.agreement_id}`
  network.on(`POST ${path}/state`, failNetwork)
  await button('Mark as offered').click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  const offered: Agreement = { ...draft, state: 'Offered', version: 5 }
  const last_change = { at: '2026-01-16T08:00:00Z', actor: { kind: 'user', id: 'u1', name: 'Ada Lind' } }
  network.on(`POST ${path}/state`, () =>
    errorResponse(409, 'Conflict', { data: { ...offered, last_change } }),
  )
  network.on(`GET ${path}`, failNetwork)
  await button('Mark as offered').click()
  await expect.element(page.getByText('Agreement updated')).toBeVisible()
  await expect.element(button('Mark as signed')).toBeVisible()
  expect(page.getByText(/changed this agreement/).elements()).toHaveLength(0)
})

test('a step that the user has taken with another day is refused', async () => {
  const offer = agreement(1, { state: 'Offered' })
  openAgreement(offer)
  const last_change = { at: '2026-01-16T08:00:00Z', actor: { kind: 'user', id: 'u1', name: 'Ada Lind' } }
  const signed = { ...offer, state: 'Signed', agreed_on: '2026-01-15', version: 5 }
  network.on(`POST /api/agreements/${idOf(1)}/state`, () =>
    errorResponse(409, 'Conflict', { data: { ...signed, last_change } }),
  )
  await button('Mark as signed').click()
  await dialog.getByRole('button', { name: 'Mark as signed' }).click()
  await expectAlert(/^Ada Lind changed this agreement on Jan 16, 2026/)
})

test('the dialog of a step whose response was lost closes without a refusal once the page shows the step', async () => {
  const offer = agreement(1, { state: 'Offered' })
  openAgreement(offer)
  network.on(`POST /api/agreements/${idOf(1)}/state`, failNetwork)
  await button('Mark as signed').click()
  await dialog.getByRole('button', { name: 'Mark as signed' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  changeTo({ ...offer, state: 'Signed', agreed_on: today(), version: 5 })
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(button('Mark as delivered')).toBeVisible()
  expect(page.getByText(/^This agreement has changed/).elements()).toHaveLength(0)
})

/** Reports that another user has changed the agreement, which is now `present`. */
function changeTo(present: Agreement) {
  network.on(`GET /api/agreements/${present.agreement_id}`, () => ({
    body: { success: true, data: present },
  }))
  const tab = new BroadcastChannel('forecourt-live u1')
  const ids = [present.agreement_id]
  tab.postMessage({ type: 'changed', resource: 'agreements', ids, action: 'updated', by: 'u2' })
  tab.close()
}

test.each([
  ['Mark as signed', 'Mark as signed', { state: 'Signed', agreed_on: today(), version: 4 }],
  ['Cancel…', 'Cancel agreement', { state: 'Cancelled', version: 4 }],
])(
  'a change while the dialog of "%s" is open does not change the version it sends',
  async (open, confirm, sent) => {
    const offer = agreement(1, { state: 'Offered' })
    openAgreement(offer)
    await button(open).click()
    await expect.element(dialog).toBeVisible()
    changeTo({ ...offer, notes: 'Collects it on Friday', version: 5 })
    await expect.element(page.getByText('Collects it on Friday')).toBeInTheDocument()
    await dialog.getByRole('button', { name: confirm }).click()
    await expect.poll(() => stepsOf(offer)).toEqual([sent])
  },
)

test('the dialog of a step that another user has taken closes, and the page says why', async () => {
  const offer = agreement(1, { state: 'Offered' })
  openAgreement(offer)
  await button('Mark as signed').click()
  await expect.element(dialog).toBeVisible()
  changeTo({ ...offer, state: 'Signed', agreed_on: '2026-01-15', version: 5 })
  await expectAlert('This agreement has changed. The page shows it as it is now.')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(stepsOf(offer)).toHaveLength(0)
})

test('cancelling says what it frees, and the safe button has the focus', async () => {
  const signed = agreement(1, { state: 'Signed', agreed_on: '2026-01-15' })
  openAgreement(signed, { vehicles: [vehicle(1, { status: 'Reserved' })] })
  await button('Cancel…').click()
  await expect.element(dialog.getByText('Volvo V60, AB12 CDB becomes In stock.')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Keep agreement' })).toHaveFocus()
  await dialog.getByRole('button', { name: 'Cancel agreement' }).click()
  await expect.element(page.getByText('This agreement was cancelled.')).toBeVisible()
  expect(stepsOf(signed)).toEqual([{ state: 'Cancelled', version: 4 }])
  expect(button('Cancel…').elements()).toHaveLength(0)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
})

test('after the last step the heading has the focus', async () => {
  const delivered = { state: 'Delivered', agreed_on: '2026-09-15', delivered_on: '2026-09-24' } as const
  openAgreement(agreement(1, delivered))
  await button('Close agreement').click()
  await expect.element(button('Close agreement')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
})

test('a user who may only read sees no steps', async () => {
  openAgreement(agreement(1, { customer_id: undefined }), { may: readPermission })
  await expect.element(page.getByRole('region', { name: 'State of the agreement' })).toBeVisible()
  await expect.element(page.getByText('£18,995.00').first()).toBeVisible()
  expect(button('Mark as offered').elements()).toHaveLength(0)
  expect(page.getByText('Complete this before offering.').elements()).toHaveLength(0)
})

/** Reports that another agreement has changed, so that the vehicles load again. */
function changeAnother() {
  const tab = new BroadcastChannel('forecourt-live u1')
  tab.postMessage({ type: 'changed', resource: 'agreements', ids: [idOf(2)], action: 'updated', by: 'u2' })
  tab.close()
}

/** Presses "Mark as offered" of a draft while its vehicles load again. `release` sends the response with the vehicles. */
async function offerWhileVehiclesLoad(response: () => ApiResponse) {
  const draft = agreement(1)
  openAgreement(draft)
  await expect.element(button('Mark as offered')).toBeVisible()
  const requests = network.requests('/api/vehicles').length
  const release = delayResponse('GET /api/vehicles', response)
  changeAnother()
  await expect.poll(() => network.requests('/api/vehicles').length).toBeGreaterThan(requests)
  await button('Mark as offered').click()
  return { draft, release }
}

test('a step that is pressed while the vehicles load again is taken when they have loaded', async () => {
  const { draft, release } = await offerWhileVehiclesLoad(() => listOf([vehicle(1)]))
  await expect.element(button('Mark as offered')).toHaveAttribute('aria-busy', 'true')
  expect(stepsOf(draft)).toHaveLength(0)
  release()
  await expect.element(button('Mark as signed')).toBeVisible()
  expect(stepsOf(draft)).toHaveLength(1)
})

test('a step that is pressed while the vehicles load again is dropped if the agreement changes meanwhile', async () => {
  const { draft, release } = await offerWhileVehiclesLoad(() => listOf([vehicle(1)]))
  changeTo({ ...draft, notes: 'Collects it on Friday', version: 5 })
  await expect.element(page.getByText('Collects it on Friday')).toBeInTheDocument()
  release()
  await expectAlert('This agreement has changed. The page shows it as it is now.')
  expect(stepsOf(draft)).toHaveLength(0)
})

test('a step that is pressed while the vehicles load again is dropped if they fail to load, and a cancellation stays possible', async () => {
  const { draft, release } = await offerWhileVehiclesLoad(() => errorResponse(503, 'The server is busy.'))
  release()
  await expect.element(page.getByText('The server is busy.')).toBeVisible()
  await expect.element(button('Mark as offered')).not.toHaveAttribute('aria-busy')
  expect(stepsOf(draft)).toHaveLength(0)
  await button('Cancel…').click()
  await expect.element(dialog).toBeVisible()
})

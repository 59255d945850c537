import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Contact, core } from '~/core'
import { drafts } from '~/lib/drafts'
import { contact, serveContactCount, summaryOf } from './contacts'
import { type ApiResponse, delayResponse, errorResponse, network } from './network'
import { closeAll, expectAlert, open, signInUser, unload } from './open'
import { listOf } from './records'
import { failNetwork } from './signIn'

// A creation is sent again after its response was lost. The form of a contact stands for the forms of all records.

const name = page.getByRole('textbox', { name: 'Name' })
const save = page.getByRole('button', { name: 'Create contact' })
const isCreated = () => expect.element(page.getByText('Contact created successfully').first()).toBeVisible()
const created = (more: Partial<Contact>): ApiResponse => ({
  status: 201,
  body: { success: true, data: contact(1, more) },
})
const keysOfCreations = () =>
  network.requests('/api/contacts').flatMap(({ method, key }) => (method === 'POST' ? [key] : []))
const updates = () => network.requests('/api/contacts/id-1').map(({ body }) => body)
const acceptUpdates = () =>
  network.on('PUT /api/contacts/id-1', ({ body }) => ({
    body: { success: true, data: contact(1, body as Partial<Contact>) },
  }))

beforeEach(() => signInUser())

/** Signs out as in another tab, and closes the page. */
function signOut() {
  localStorage.clear()
  drafts.deleteEverywhere()
  closeAll()
}

/** Opens the form of a new contact above an empty list. */
async function openNewContact(isStrict = false) {
  serveContactCount(0)
  open('/dashboard/contacts', isStrict)
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
}

test('a contact whose response was lost is sent again with the same key, and then updated', async () => {
  await openNewContact()
  const attempts: (() => ApiResponse)[] = [
    () => errorResponse(400, 'Please try again.'),
    () => {
      throw new TypeError('The response was lost')
    },
    () =>
      errorResponse(400, 'Another request has had this key.', {
        data: contact(1, { name: 'Adda', version: 1 }),
      }),
  ]
  network.on('POST /api/contacts', () => attempts.shift()?.() ?? errorResponse(500, ''))
  acceptUpdates()
  await name.fill('Adda')
  await save.click()
  await expectAlert('Please try again.')
  await save.click()
  await expectAlert('No connection to the server. Check your network and try again.')
  await name.fill('Ada')
  await save.click()
  await isCreated()
  const keys = keysOfCreations()
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.anything(), keys[1]])
  expect(keys[1]).not.toBe(keys[0])
  // The server has stored the first input.
  expect(updates()).toEqual([expect.objectContaining({ name: 'Ada', version: 1 })])
})

test('a lost creation keeps its key after other errors, and input that is typed back is saved', async () => {
  await openNewContact()
  const attempts = [503, 429, 503]
  network.on('POST /api/contacts', () => {
    const status = attempts.shift()
    if (status) return errorResponse(status, `Failed with ${status}.`)
    return { status: 201, body: { success: true, data: contact(1, { name: 'Adda', version: 1 }) } }
  })
  acceptUpdates()
  for (const [typed, status] of [
    ['Ada', 503],
    ['Adda', 429],
    ['Adda', 503],
  ] as const) {
    await name.fill(typed)
    await save.click()
    await expectAlert(`Failed with ${status}.`)
    await expect.element(save).not.toHaveAttribute('aria-busy', 'true')
  }
  await name.fill('Ada')
  await save.click()
  await isCreated()
  const keys = keysOfCreations()
  expect(keys).toEqual(keys.map(() => keys[0]))
  expect(updates()).toEqual([expect.objectContaining({ name: 'Ada', version: 1 })])
})

test('changes that another user has made since a lost creation lead to a conflict', async () => {
  await openNewContact()
  const attempts = [errorResponse(503, 'Failed.')]
  network.on('POST /api/contacts', () => attempts.shift() ?? created({ name: 'Ada Berg', version: 2 }))
  network.on('PUT /api/contacts/id-1', ({ body }) => {
    const { version } = body as { version: number }
    return version === 2
      ? { body: { success: true, data: contact(1, { version: 3 }) } }
      : errorResponse(409, core.texts().general.stale.text, {
          data: contact(1, { name: 'Ada Berg', version: 2 }),
        })
  })
  await name.fill('Ada')
  await save.click()
  await expectAlert('Failed.')
  await name.fill('Ada Lind')
  await save.click()
  await page.getByRole('radio', { name: /Theirs Ada Berg/ }).click()
  await save.click()
  await isCreated()
  expect(updates()).toEqual([
    expect.objectContaining({ name: 'Ada Lind', version: 1 }),
    expect.objectContaining({ name: 'Ada Berg', version: 2 }),
  ])
  const keys = keysOfCreations()
  expect(keys).toEqual(keys.map(() => keys[0]))
})

test('saving again after what a lost creation created was deleted creates another', async () => {
  await openNewContact()
  const attempts = [
    errorResponse(503, 'Failed.'),
    errorResponse(404, 'An earlier attempt created this, and it has been deleted since.'),
  ]
  network.on('POST /api/contacts', () => attempts.shift() ?? created({ name: 'Ada Lind' }))
  await name.fill('Ada')
  await save.click()
  await expectAlert('Failed.')
  await name.fill('Ada Lind')
  await save.click()
  await expectAlert('An earlier attempt created this, and it has been deleted since.')
  await expect.element(name).toHaveValue('Ada Lind')
  expect(drafts.readRequest('contact ')).toBeUndefined()
  await save.click()
  await isCreated()
  const [first, again, another] = keysOfCreations()
  expect(again).toBe(first)
  expect(another).not.toBe(first)
  expect(updates()).toEqual([])
})

test('a contact that is deleted before its changed input is saved is created again', async () => {
  await openNewContact()
  const attempts = [errorResponse(503, 'Failed.')]
  network.on('POST /api/contacts', () => attempts.shift() ?? created({ name: 'Ada', version: 1 }))
  network.on('PUT /api/contacts/id-1', () => errorResponse(404, 'Not found.'))
  await name.fill('Ada')
  await save.click()
  await expectAlert('Failed.')
  await name.fill('Ada Lind')
  await save.click()
  await expectAlert('Not found.')
  await save.click()
  await isCreated()
  const [first, again, another] = keysOfCreations()
  expect(again).toBe(first)
  expect(another).not.toBe(first)
})

test('a creation during which the page is reloaded is repeated, and its unchanged input not saved again', async () => {
  await openNewContact()
  delayResponse('POST /api/contacts', failNetwork)
  await name.fill('Ada')
  await save.click()
  await expect.poll(keysOfCreations).toHaveLength(1)
  await unload()
  network.on('POST /api/contacts', () => created({ name: 'Ada', version: 1 }))
  await openNewContact()
  await expect.element(name).toHaveValue('Ada')
  await save.click()
  await isCreated()
  const [first, again] = keysOfCreations()
  expect(again).toBe(first)
  // A user who may only create contacts can't save it again.
  expect(updates()).toEqual([])
})

test.each([
  { end: 'the form was left', leave: closeAll },
  { end: 'a sign-out', leave: signOut },
])('a response that is lost after $end stores nothing', async ({ leave }) => {
  await openNewContact()
  const release = delayResponse('POST /api/contacts', failNetwork)
  await name.fill('Ada')
  await save.click()
  await expect.poll(keysOfCreations).toHaveLength(1)
  leave()
  const onRequestEnd = vi.fn()
  core.onRequestEnd(onRequestEnd)
  release()
  await expect.poll(() => onRequestEnd).toHaveBeenCalledWith(false)
  // A form that opens without a draft would delete the request.
  expect(drafts.readRequest('contact ')).toBeUndefined()
  signInUser()
  network.on('POST /api/contacts', () => created({ name: 'Bo' }))
  await openNewContact()
  await expect.element(name).toHaveValue('')
  await name.fill('Bo')
  await save.click()
  await isCreated()
  const [first, next] = keysOfCreations()
  expect(next).not.toBe(first)
  expect(updates()).toEqual([])
})

test('a lost creation keeps its key although the storage is full', async () => {
  const { setItem } = Storage.prototype
  const store = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (
    this: Storage,
    key,
    value,
  ) {
    if (key.startsWith('draft ')) throw new DOMException('The storage is full', 'QuotaExceededError')
    setItem.call(this, key, value)
  })
  onTestFinished(() => store.mockRestore())
  await openNewContact()
  const attempts = [errorResponse(503, 'Failed.')]
  network.on('POST /api/contacts', () => attempts.shift() ?? created({ name: 'Ada', version: 1 }))
  await name.fill('Ada')
  await save.click()
  await expectAlert('Failed.')
  await save.click()
  await isCreated()
  const [first, again] = keysOfCreations()
  expect(again).toBe(first)
  expect(drafts.readRequest('contact ')).toBeUndefined()
})

test('a contact that the lost creation may have created is not named as a duplicate', async () => {
  const older = summaryOf(contact(2, { name: 'Bo', createdAt: '2020-01-02T08:00:00Z' }))
  const own = summaryOf(contact(1, { name: 'Ada', createdAt: new Date().toISOString() }))
  network.on('GET /api/contacts/duplicates', () =>
    listOf([own, older].map(record => ({ reasons: ['email'], records: [record], count: 1 }))),
  )
  network.on('POST /api/contacts', () => errorResponse(503, 'Failed.'))
  await openNewContact()
  await name.fill('Ada')
  await expect.element(page.getByText('Ada has the same email.')).toBeVisible()
  await save.click()
  await expectAlert('Failed.')
  await expect.element(page.getByText('Ada has the same email.')).not.toBeInTheDocument()
  await expect.element(page.getByText('Bo has the same email.')).toBeVisible()
})

test.each([
  { isKept: true, isStrict: false },
  { isKept: true, isStrict: true },
  { isKept: false, isStrict: false },
])(
  'a restored draft is sent with the key of its lost creation (kept: $isKept, StrictMode: $isStrict)',
  async ({ isKept, isStrict }) => {
    sessionStorage.setItem('draftsOf', 'u1')
    const request = '0123456789abcdef0123456789abcdef'
    drafts.save('contact ', { typed: { name: { value: 'Ada', base: '' } } })
    drafts.saveRequest('contact ', { key: request, sentAt: 0 })
    network.on('POST /api/contacts', () => created({ name: 'Ad', version: 1 }))
    acceptUpdates()
    await openNewContact(isStrict)
    await expect.element(name).toHaveValue('Ada')
    if (!isKept) {
      await page.getByRole('button', { name: 'Discard draft' }).click()
      await name.fill('Eva')
    }
    await save.click()
    await isCreated()
    expect(keysOfCreations()[0] === request).toBe(isKept)
    // The server may have stored an earlier input than that of the restored draft.
    expect(updates()).toEqual(isKept ? [expect.objectContaining({ name: 'Ada', version: 1 })] : [])
    expect(drafts.readRequest('contact ')).toBeUndefined()
  },
)

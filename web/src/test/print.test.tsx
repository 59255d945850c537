import { expect, onTestFinished, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { agreement, openAgreement, openAgreements, vehicle } from './agreements'
import { comment, serveContact, serveContactCount } from './contacts'
import { serveKestrel, signInPlatformAdministrator, user } from './corporations'
import { network } from './network'
import { open, signInUser } from './open'

/** Opens the list of contacts in an element with the id of the real page. Returns that element. */
async function openList() {
  signInUser()
  serveContactCount(3)
  open('/dashboard/contacts')
  await expect.element(page.getByRole('table')).toBeVisible()
  const root = page.getByRole('table').element().closest('body > div') as HTMLElement
  root.id = 'root'
  return root
}

async function emulatePrint() {
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' })
  onTestFinished(async () => {
    await cdp().send('Emulation.setEmulatedMedia', { media: '' })
  })
}

const isPrinted = (element: Element | null) => element?.checkVisibility()

test('the page is printed without an open popover', async () => {
  const root = await openList()
  await page.getByRole('button', { name: 'Columns' }).click()
  const popover = page.getByRole('dialog', { name: 'Columns' }).element()
  await emulatePrint()
  expect(isPrinted(root)).toBe(true)
  expect(isPrinted(root.querySelector('table'))).toBe(true)
  expect(isPrinted(popover)).toBe(false)
})

test('an open dialog is printed without the page behind it', async () => {
  const root = await openList()
  await page.getByRole('button', { name: 'New contact' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New contact' })
  await expect.element(dialog).toBeVisible()
  const element = dialog.element()
  await emulatePrint()
  expect(isPrinted(root)).toBe(false)
  expect(isPrinted(element)).toBe(true)
})

test('an agreement is printed without what only the dealer may see', async () => {
  openAgreement(agreement(1, { minimum_price: 17500 }))
  const internal = [
    page.getByText('Minimum price', { exact: true }),
    page.getByRole('heading', { name: 'System Information' }),
    page.getByRole('heading', { name: 'History' }),
  ]
  for (const each of internal) await expect.element(each).toBeVisible()
  const elements = internal.map(each => each.element())
  const terms = page.getByRole('heading', { name: 'Terms' }).element()
  await emulatePrint()
  expect(elements.map(isPrinted)).toEqual([false, false, false])
  expect(isPrinted(terms)).toBe(true)
})

test('a vehicle is printed without its agreements, which name other customers', async () => {
  const one = vehicle(1)
  openAgreements([agreement(1, { state: 'Signed' })], {
    vehicles: [one],
    address: `/dashboard/vehicles/${one.vehicle_id}`,
  })
  network.on(`GET /api/vehicles/${one.vehicle_id}`, () => ({ body: { success: true, data: one } }))
  await expect.element(page.getByText('Maja Holm 71')).toBeVisible()
  const customer = page.getByText('Maja Holm 71').element()
  const title = page.getByRole('heading', { level: 1 }).element()
  await emulatePrint()
  expect(isPrinted(customer)).toBe(false)
  expect(isPrinted(title)).toBe(true)
})

test('on A4 paper, rows of two lines have the phone number in place of the button that calls', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(794, 1123)
  signInPlatformAdministrator()
  serveKestrel(() => [user('u2', 'Grace', { mobile: '+44 20 7946 0018' })])
  open('/dashboard/corporations/c-1/users')
  const call = page.getByRole('link', { name: 'Call Grace Whitfield' })
  await expect.element(call).toBeVisible()
  const button = call.element()
  const texts = ['+44 20 7946 0018', 'u2@kestrel.example'].map(text => page.getByText(text).element())
  expect(texts.map(isPrinted)).toEqual([false, true])
  await emulatePrint()
  expect(texts.map(isPrinted)).toEqual([true, true])
  expect(isPrinted(button)).toBe(false)
})

test('a contact is printed without its comments', async () => {
  signInUser()
  serveContact({ comments: [comment(1)] })
  open('/dashboard/contacts/id-1')
  const comments = page.getByRole('region', { name: 'Comments' })
  await expect.element(comments.getByRole('listitem')).toBeVisible()
  const section = comments.element()
  const title = page.getByRole('heading', { level: 1 }).element()
  await emulatePrint()
  expect(isPrinted(section)).toBe(false)
  expect(isPrinted(title)).toBe(true)
})

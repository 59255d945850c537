import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { toast } from '~/ui/Toasts'
import { serveContactCount } from './contacts'
import { open, signInUser } from './open'

beforeEach(async () => {
  await page.viewport(360, 740)
  signInUser()
  serveContactCount(30)
  open('/dashboard/contacts')
  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
})

afterEach(() => page.viewport(1280, 800))

/** Expects that nothing covers the center of an element, or that something does. */
const expectOnTop = (locator: Locator, isOnTop = true) =>
  expect
    .poll(() => {
      const element = locator.element()
      const { left, top, width, height } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
    .toBe(isOnTop)

test('a menu that opens is above a toast', async () => {
  toast.warning('Saved')
  await expectOnTop(page.getByText('Saved'))
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expectOnTop(page.getByRole('menuitem'))
})

test('a dialog that opens is above a toast, and below a later one', async () => {
  toast.warning('Saved')
  await expectOnTop(page.getByText('Saved'))
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Create New Contact' })).toBeVisible()
  await expectOnTop(page.getByText('Saved'), false)
  toast.warning('Not saved')
  await expectOnTop(page.getByText('Not saved'))
})

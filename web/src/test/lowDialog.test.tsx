import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { toast } from '~/ui/Toasts'
import { serveContactCount } from './contacts'
import { open, signInUser } from './open'

const dialog = page.getByRole('dialog', { name: 'Create New Contact' })
const title = dialog.getByRole('heading', { name: 'Create New Contact' })
const cancel = dialog.getByRole('button', { name: 'Cancel' })

const bottomOf = (element: Element) => element.getBoundingClientRect().bottom

/** Opens the form of a new contact in a window of this size. Returns the element that scrolls around the dialog. */
async function openForm(width: number, height: number) {
  onTestFinished(() => page.viewport(1280, 800))
  signInUser()
  serveContactCount(0)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  await expect.element(dialog).toBeVisible()
  await page.viewport(width, height)
  return dialog.element().parentElement as HTMLElement
}

// As large as 1,364 × 640 px and 1,280 × 1,024 px are with 400 % zoom.
test.each([
  [341, 160],
  [320, 256],
])('at %i × %i px, the title and the buttons of a form scroll with it', async (width, height) => {
  const scroller = await openForm(width, height)
  scroller.scrollTop = 120
  await expect.element(title).not.toBeInViewport()
  await expect.element(cancel).not.toBeInViewport()
  scroller.scrollTop = scroller.scrollHeight
  await expect.element(cancel).toBeInViewport({ ratio: 1 })
})

test('in a low window, the title of a form is in view although its first field has the focus', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(320, 256)
  signInUser()
  serveContactCount(0)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: '+ Add New Contact' }).click()
  await expect.element(dialog.getByRole('textbox').first()).toHaveFocus()
  await expect.element(title).toBeInViewport({ ratio: 1 })
})

test('while the keyboard of a phone is open, the title and the buttons of a form stay in view', async () => {
  await openForm(360, 400)
  await expect.element(title).toBeInViewport({ ratio: 1 })
  await expect.element(cancel).toBeInViewport({ ratio: 1 })
})

test.each([
  [320, 256],
  [320, 480],
])('at %i × %i px, a field or a button that gets the focus is clear of a toast', async (width, height) => {
  const scroller = await openForm(width, height)
  toast.error('Please correct the fields below')
  const message = page.getByRole('group', { name: 'Please correct the fields below' })
  await expect.element(message).toBeVisible()
  const body = scroller.querySelector('.dialog-body') as HTMLElement
  const field = dialog.getByRole('textbox').elements()[3] as HTMLElement
  for (const element of [field, cancel.element() as HTMLElement]) {
    // Moves the element to the bottom edge of the part that scrolls.
    for (const part of [scroller, body]) part.scrollTop += bottomOf(element) - bottomOf(part)
    element.focus()
    // Buttons that stay at the bottom edge have the toast above them.
    const isClear = () => {
      const [own, { top, bottom }] = [
        element.getBoundingClientRect(),
        message.element().getBoundingClientRect(),
      ]
      return own.bottom <= top || own.top >= bottom
    }
    await expect.poll(isClear).toBe(true)
  }
})

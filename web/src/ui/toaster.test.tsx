import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Toaster } from './Toaster'
import { toast } from './Toasts'

let root: Root
beforeEach(() => {
  const place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
  root.render(
    <>
      <main>
        <h1>{'Page'}</h1>
        <button type="button">{'Save'}</button>
      </main>
      <Toaster />
    </>,
  )
})
afterEach(() => root.unmount())

const save = page.getByRole('button', { name: 'Save' })
const message = (name: string) => page.getByRole('group', { name })

/** Shows toasts with these texts, one after the other, while the button has the focus. */
async function show(...texts: string[]) {
  await expect.element(save).toBeVisible()
  save.element().focus()
  for (const text of texts) toast.warning(text)
  await expect.element(page.getByText(texts.at(-1) ?? '')).toBeVisible()
}

test('F6 focuses the newest toast, and then again what had the focus before', async () => {
  await show('First', 'Second')
  await userEvent.keyboard('{F6}')
  await expect.element(message('Second')).toHaveFocus()
  await userEvent.keyboard('{F6}')
  await expect.element(save).toHaveFocus()
})

test('after F6 was pressed, Tab leads from the last control of the page to a later toast', async () => {
  await show('First')
  await userEvent.keyboard('{F6}{F6}')
  await expect.element(save).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(message('First')).toHaveFocus()
})

test('the last toast that is dismissed by keyboard gives the focus back', async () => {
  await show('First', 'Second')
  await userEvent.keyboard('{F6}{Escape}')
  await expect.element(message('First')).toHaveFocus()
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(save).toHaveFocus()
})

test('if what had the focus before a toast has disappeared, the heading gets it', async () => {
  await show('First')
  await userEvent.keyboard('{F6}')
  save.element().remove()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
})

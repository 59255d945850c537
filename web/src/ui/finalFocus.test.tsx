import { Menu as Base } from '@base-ui/react/menu'
import { type ComponentType, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { FormModal } from './FormModal'
import { Menu } from './Menu'
import { Select } from './Select'

let root: Root
afterEach(() => root.unmount())

function show(Component: ComponentType) {
  const place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
  root.render(<RouterProvider router={createMemoryRouter([{ path: '/', Component }])} />)
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const heading = page.getByRole('heading', { level: 1 })
const dialog = page.getByRole('dialog')

/** A page with two buttons that open a dialog, in which the second of them can be removed. */
function Questions() {
  const [isOpen, setOpen] = useState(false)
  const [hasSecond, setHasSecond] = useState(true)
  const close = () => setOpen(false)
  const remove = () => setHasSecond(false)
  return (
    <main>
      <h1>{'Questions'}</h1>
      <Button onClick={() => setOpen(true)}>{'First'}</Button>
      {hasSecond && <Button onClick={() => setOpen(true)}>{'Second'}</Button>}
      {isOpen && (
        <Dialog open size="small" title="Question" onClose={close}>
          <Button onClick={remove}>{'Remove'}</Button>
          <Button
            onClick={() => {
              remove()
              close()
            }}
          >
            {'Remove and close'}
          </Button>
        </Dialog>
      )}
    </main>
  )
}

test('a dialog that closes gives the focus back to its opener', async () => {
  show(Questions)
  for (const name of ['First', 'Second', 'First']) {
    await button(name).click()
    await expect.element(dialog).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(button(name)).toHaveFocus()
  }
})

test.each([
  ['before the dialog closes', 'Remove'],
  ['together with the dialog', 'Remove and close'],
])('if the opener disappears %s, the heading has the focus, not an earlier opener', async (_, action) => {
  show(Questions)
  await button('First').click()
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('First')).toHaveFocus()
  await button('Second').click()
  await button(action).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(heading).toHaveFocus()
})

test('after a dialog that replaced another one, the opener of the first has the focus', async () => {
  show(function TwoSteps() {
    const [step, setStep] = useState<'question' | 'result'>()
    const close = () => setStep(undefined)
    return (
      <main>
        <h1>{'Two steps'}</h1>
        <Button onClick={() => setStep('question')}>{'Start'}</Button>
        {step === 'question' && (
          <Dialog open title="Question" onClose={close}>
            <Button onClick={() => setStep('result')}>{'Run'}</Button>
          </Dialog>
        )}
        {step === 'result' && (
          <Dialog open title="Result" onClose={close}>
            <Button onClick={close}>{'Done'}</Button>
          </Dialog>
        )}
      </main>
    )
  })
  await button('Start').click()
  await button('Run').click()
  await button('Done').click()
  await expect.element(button('Start')).toHaveFocus()
})

test('after a dialog that an item of a menu opened, the button of the menu has the focus', async () => {
  show(function InMenu() {
    const [isOpen, setOpen] = useState(false)
    return (
      <main>
        <h1>{'In a menu'}</h1>
        <Menu trigger={<Button>{'More'}</Button>}>
          <Base.Item onClick={() => setOpen(true)}>{'Delete'}</Base.Item>
        </Menu>
        {isOpen && (
          <Dialog open title="Question" onClose={() => setOpen(false)}>
            <Button onClick={() => setOpen(false)}>{'Keep'}</Button>
          </Dialog>
        )}
      </main>
    )
  })
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await button('Keep').click()
  await expect.element(button('More')).toHaveFocus()
})

test('after a click beside a form with changes, "Keep editing" focuses the field again', async () => {
  show(() => (
    <main>
      <h1>{'A form'}</h1>
      <FormModal
        title="Form"
        submit="Save"
        busy={false}
        dirty
        onSubmit={event => event.preventDefault()}
        onClose={() => undefined}
      >
        <input aria-label="Name" />
        <input aria-label="City" />
      </FormModal>
    </main>
  ))
  const city = page.getByRole('textbox', { name: 'City' })
  await city.fill('Malmö')
  const around = dialog.element().parentElement as Element
  await page.elementLocator(around).click({ position: { x: 5, y: 5 } })
  await button('Keep editing').click()
  await expect.element(city).toHaveFocus()
})

/** A select, and a field after it. */
function Choices() {
  const [value, setValue] = useState('')
  const choices = ['Accounts', 'Sales'].map(name => ({ value: name, label: name }))
  return (
    <main>
      <h1>{'Choices'}</h1>
      <Select label="Role" value={value} choices={choices} onChange={setValue} />
      <input aria-label="Password" />
    </main>
  )
}

test.each([
  ['an option is chosen', '{ArrowDown}{Enter}', /^Sales$/],
  ['the list is closed', '{Escape}', /^$/],
])('Tab leads from a select to the next field as soon as %s', async (_, keys, chosen) => {
  show(Choices)
  const select = page.getByRole('combobox', { name: 'Role' })
  await expect.element(select).toBeVisible()
  ;(select.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('option', { name: 'Accounts' })).toHaveFocus()
  await userEvent.keyboard(`${keys}{Tab}`)
  await expect.element(page.getByRole('textbox')).toHaveFocus()
  expect(select.element()).toHaveTextContent(chosen)
})

import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { customer, openCustomers } from '~/test/customers'

test('the tooltip opens when Tab reaches the button, not when a dialog closes', async () => {
  openCustomers([customer(1)])
  const edit = page.getByRole('button', { name: 'Edit Maja Holm 1' })
  const tooltip = page.getByText('Edit Maja Holm 1', { exact: true })
  await expect.element(edit).toBeVisible()
  edit.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Edit Customer' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(edit).toHaveFocus()
  // A tooltip would open at once.
  await new Promise(done => setTimeout(done, 100))
  expect(tooltip.elements()).toHaveLength(0)
  await userEvent.keyboard('{Tab}{Shift>}{Tab}{/Shift}')
  await expect.element(edit).toHaveFocus()
  await expect.element(tooltip).toBeVisible()
})

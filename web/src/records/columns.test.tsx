import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { serveContactCount } from '~/test/contacts'
import { closeAll, open, signInUser, textsOf } from '~/test/open'

/** Returns the texts of the column headers, without the empty header of the checkboxes. */
const headers = () => textsOf(page.getByRole('columnheader')).filter(text => text !== '')
const openMenu = () => page.getByRole('button', { name: 'Columns' }).click()
const menu = page.getByRole('dialog', { name: 'Columns' })
const widthOf = (name: string) =>
  page.getByRole('columnheader', { name }).element().getBoundingClientRect().width

beforeEach(() => {
  signInUser()
  serveContactCount(3)
})

test('columns can be shown and hidden, also after a reload on this device', async () => {
  open('/dashboard/contacts')
  await expect.poll(headers).toEqual(['Name', 'Email', 'Phone', 'Actions'])
  await openMenu()
  await menu.getByRole('checkbox', { name: 'Created' }).click()
  await menu.getByRole('checkbox', { name: 'Email' }).click()
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Created', 'Actions'])
  await expect.element(page.getByRole('row', { name: /Person 1 .*2026/ })).toBeVisible()
  await expect.element(menu.getByRole('checkbox', { name: 'Name' })).toBeDisabled()
  // Simulate a reload.
  closeAll()
  open('/dashboard/contacts')
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Created', 'Actions'])
})

test('the arrow keys on a handle move a column and change its width', async () => {
  open('/dashboard/contacts')
  await openMenu()
  const handle = menu.getByRole('button', { name: 'Move Phone' })
  handle.element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Email', 'Actions'])
  await expect.element(handle).toHaveFocus()
  await expect.element(menu.getByRole('status')).toHaveTextContent('Phone is column 2 of 9')
  const before = [widthOf('Phone'), widthOf('Email')]
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.poll(() => Math.round(widthOf('Phone') - (before[0] ?? 0))).toBe(32)
  expect(Math.abs(widthOf('Email') - (before[1] ?? 0))).toBeLessThan(2)
  await menu.getByRole('button', { name: 'Reset columns' }).click()
  await expect.poll(headers).toEqual(['Name', 'Email', 'Phone', 'Actions'])
})

test('rows can be compact', async () => {
  open('/dashboard/contacts')
  await openMenu()
  const row = page.getByRole('row', { name: /Person 1 person1/ })
  const height = () => row.element().getBoundingClientRect().height
  await expect.element(row).toBeVisible()
  expect(height()).toBeGreaterThan(43)
  await menu.getByRole('button', { name: 'Compact' }).click()
  await expect.poll(height).toBeLessThan(38)
  await expect.element(menu.getByRole('button', { name: 'Compact' })).toHaveAttribute('aria-pressed', 'true')
})

test('the menu of the columns does not scroll sideways', async () => {
  open('/dashboard/contacts')
  await openMenu()
  await expect.element(menu).toBeVisible()
  expect(menu.element().scrollWidth).toBe(menu.element().clientWidth)
})

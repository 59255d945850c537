import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openRoles } from '~/test/roles'

const row = (name: string) => page.getByRole('button', { name, exact: true })
const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
const isMixed = (name: string) => (box(name).element() as HTMLInputElement).indeterminate

test("a parent's checkbox sets those of its subresources", async () => {
  openRoles()
  await row('Sales').click()
  await box('Add Imports').click()
  await expect.element(box('View Imports')).toBeChecked()
  await expect.element(box('Add Contacts')).not.toBeChecked()
  expect(isMixed('Add Contacts')).toBe(true)
  await box('Add Contacts').click()
  await expect.element(box('Add Contacts')).toBeChecked()
  expect(isMixed('Add Contacts')).toBe(false)
  await expect.element(box('Add All contacts')).toBeChecked()
  await expect.element(box('View All contacts')).toBeChecked()
  await box('View Contacts').click()
  await expect.element(box('Add Imports')).not.toBeChecked()
  expect(isMixed('Add Contacts')).toBe(false)
})

test('the checkboxes that are set along with another one are announced', async () => {
  openRoles()
  await row('Sales').click()
  const said = page.getByRole('status').filter({ hasText: 'You have unsaved changes.' })
  await box('Add Imports').click()
  await expect.element(said).toHaveTextContent('View Imports was also selected.')
  await box('Edit Imports').click()
  await expect.element(said).not.toHaveTextContent('also')
  await box('Delete Contacts').click()
  await expect
    .element(said)
    .toHaveTextContent('View All contacts, Delete All contacts, and Delete Imports were also selected.')
  await box('View All contacts').click()
  await expect.element(said).toHaveTextContent('Delete All contacts was also cleared.')
})

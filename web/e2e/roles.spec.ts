import type { Locator, Page } from '@playwright/test'
import { PASSWORD, sessionOf, signInInNewBrowser } from './accounts'
import { checkAccessibility, checkLayout, confirmWithKeyboard, expect, tabTo, test } from './test'

const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const isMixed = (checkbox: Locator) => checkbox.evaluate((input: HTMLInputElement) => input.indeterminate)

/** Creates a role through the app's form. The role is expanded afterwards. */
async function createRole(page: Page, name: string, description: string) {
  await page.goto('/dashboard/roles')
  await page.getByRole('button', { name: 'Create Role' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Role' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Description').fill(description)
  await page.getByRole('button', { name: 'Create role', exact: true }).click()
  await expect(page.getByText('Role created successfully')).toBeVisible()
  await expect(page.getByRole('table', { name: `Permissions of ${name}` })).toBeVisible()
}

async function saveMatrix(page: Page) {
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('You have unsaved changes.')).toBeHidden()
  await expect(page.getByText('Permissions updated successfully').first()).toBeVisible()
}

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 1440, height: 900 } })

  test.describe('with expected errors', () => {
    test.use({ expectedStatuses: [401, 403, 409] })

    test('creates a role, assigns it to a new user, changes and deletes both', async ({
      page,
      browser,
      baseURL,
    }) => {
      test.setTimeout(180_000)
      const stamp = Date.now()
      const [name, email] = [`Yard ${stamp}`, `yara.${stamp}@nordbil.example`]
      await createRole(page, name, 'Looks after the cars in the yard')
      await expect(page.getByRole('button', { name: 'Save Changes' })).toHaveAttribute(
        'aria-disabled',
        'true',
      )

      await box(page, 'Add Imports').click()
      await expect(box(page, 'View Imports')).toBeChecked()
      expect(await isMixed(box(page, 'View Contacts'))).toBe(true)
      await box(page, 'View Contacts').click()
      await expect(box(page, 'View All contacts')).toBeChecked()
      await box(page, 'View All contacts').click()
      expect(await isMixed(box(page, 'View Contacts'))).toBe(true)
      await box(page, 'Edit Users Management').click()
      await checkAccessibility(page)
      await saveMatrix(page)
      await page.reload()
      await row(page, name).click()
      await expect(box(page, 'Add Imports')).toBeChecked()
      expect(await isMixed(box(page, 'Add Contacts'))).toBe(true)
      await expect(box(page, 'View Users Management')).toBeChecked()
      await expect(page.getByText('2 resources · 0 users')).toBeVisible()

      await page.goto('/dashboard/users')
      await page.getByRole('button', { name: 'Add User' }).click()
      const form = page.getByRole('dialog', { name: 'Add User' })
      await form.getByLabel('First name').fill('Yara')
      await form.getByLabel('Last name').fill('Yard')
      await form.getByLabel('Email').fill(email)
      await form.getByRole('combobox', { name: 'Role' }).click()
      await page.getByRole('option', { name, exact: true }).click()
      await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(page.getByText('User created successfully')).toBeVisible()

      // The new user sees exactly the modules and buttons that the role grants.
      const yara = await signInInNewBrowser(browser, baseURL, email)
      const nav = yara.getByRole('navigation', { name: 'Main' })
      await expect(nav.getByRole('listitem')).toHaveText(['Contacts'])
      await nav.getByRole('button', { name: 'Contacts' }).click()
      await expect(yara.getByRole('menuitem')).toHaveText(['Imports'])
      await yara.keyboard.press('Escape')
      await yara.getByRole('button', { name: /^Profile menu/ }).click()
      await expect(yara.getByRole('menuitem', { name: 'Roles Management' })).toHaveCount(0)
      await yara.getByRole('menuitem', { name: 'Users Management' }).click()
      await yara.goto(`/dashboard/users?search=${email}`)
      await expect(yara.getByText('Showing 1 to 1 of 1 user')).toBeVisible()
      await expect(yara.getByRole('button', { name: 'Add User' })).toHaveCount(0)
      await expect(yara.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
      await yara.getByRole('button', { name: 'Edit Yara Yard' }).click()
      await expect(
        yara.getByText("You don't have access to all roles. These are the roles of the users on this page."),
      ).toBeVisible()
      await checkAccessibility(yara)
      await yara.getByRole('button', { name: 'Cancel' }).click()
      await yara.goto('/dashboard/users?search=Lindqvist')
      await expect(yara.getByText('admin@nordbil.example')).toBeVisible()
      await expect(yara.getByRole('button', { name: /^Edit/ })).toHaveCount(0)

      // Changes of the role's permissions apply without signing in again.
      await page.goto(`/dashboard/roles?search=${stamp}`)
      await row(page, name).click()
      await box(page, 'Edit Users Management').click()
      await box(page, 'View Customers').click()
      await saveMatrix(page)
      await yara.goto(`/dashboard/users?search=${email}`)
      await expect(yara.getByText('Showing 1 to 1 of 1 user')).toBeVisible()
      await expect(nav.getByRole('listitem')).toHaveText(['Customers', 'Contacts'])
      await expect(yara.getByRole('button', { name: /^Edit/ })).toHaveCount(0)

      // A role with users can't be deleted.
      await page.getByRole('button', { name: `Delete ${name}` }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete role' })
      await expect(dialog.getByText('One user has this role. Give them another one first.')).toBeVisible()
      await expect(dialog.getByRole('button', { name: 'Delete role' })).toHaveCount(0)
      await checkAccessibility(page)
      await dialog.getByRole('button', { name: 'Close', exact: true }).click()
      await page.goto(`/dashboard/users?search=${email}`)
      await page.getByRole('button', { name: 'Edit Yara Yard' }).click()
      await page.getByRole('combobox', { name: 'Role' }).click()
      await page.getByRole('option', { name: 'Reception' }).click()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('User updated successfully')).toBeVisible()
      await expect(page.getByRole('row', { name: /Yara Yard .* Reception User/ })).toBeVisible()
      await yara.goto('/dashboard/users')
      await expect(nav.getByRole('button', { name: 'Contacts' })).toBeVisible()
      await expect(yara.getByRole('row')).toHaveCount(0)
      await page.goto(`/dashboard/roles?search=${stamp}`)
      await page.getByRole('button', { name: `Delete ${name}` }).click()
      await dialog.getByRole('button', { name: 'Delete role' }).click()
      await expect(page.getByText('Role deleted successfully')).toBeVisible()
      await expect(page.getByText('No roles found matching your search')).toBeVisible()

      // A deleted user is signed out at the next request.
      await page.goto(`/dashboard/users?search=${email}`)
      await page.getByRole('button', { name: 'Delete Yara Yard' }).click()
      await page
        .getByRole('dialog', { name: 'Delete User' })
        .getByRole('button', { name: 'Delete user' })
        .click()
      await expect(page.getByText('User deleted successfully')).toBeVisible()
      await expect(page.getByText('No users found')).toBeVisible()
      await yara.goto('/dashboard/contacts/imports')
      await expect(yara).toHaveURL(/\/login/)
      await yara.context().close()
    })
  })

  test('creates, renames and deletes a role by keyboard only', async ({ page }) => {
    test.setTimeout(180_000)
    const name = `Keys ${Date.now()}`
    await page.goto('/dashboard/roles')
    await tabTo(page, page.getByRole('button', { name: 'Create Role' }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type(name)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Nothing but keys')
    await tabTo(page, page.getByRole('button', { name: 'Create role', exact: true }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('table', { name: `Permissions of ${name}` })).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()

    await tabTo(page, box(page, 'Delete Contacts'))
    await page.keyboard.press('Space')
    await expect(box(page, 'Delete Imports')).toBeChecked()
    await tabTo(page, box(page, 'Delete Imports'))
    await page.keyboard.press('Space')
    expect(await isMixed(box(page, 'Delete Contacts'))).toBe(true)

    // Collapsing the role with unsaved changes asks for confirmation, with the focus on "Keep editing".
    await row(page, name).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Keep editing' })).toBeFocused()
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Save Changes' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Permissions updated successfully')).toBeVisible()
    await expect(row(page, name)).toHaveAccessibleDescription('Nothing but keys 1 resource · 0 users')

    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type(name.toUpperCase())
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(1)
    await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: `Rename ${name}` }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.press('End')
    await page.keyboard.type(' b')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Role updated successfully')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: `Delete ${name} b` }))
    await page.keyboard.press('Enter')
    await confirmWithKeyboard(page.getByRole('dialog', { name: 'Delete role' }))
    await expect(page.getByText('Role deleted successfully')).toBeVisible()
    await expect(page.getByText('No roles found matching your search')).toBeVisible()
  })

  test.describe('with a second browser', () => {
    test.use({ expectedStatuses: [409] })
    test('sees permission changes made in another browser and overwrites none', async ({
      page,
      browser,
      baseURL,
    }) => {
      const name = `Twice ${Date.now()}`
      await createRole(page, name, 'Two at a time')
      const context = await browser.newContext({ baseURL, storageState: sessionOf('admin') })
      const second = await context.newPage()
      await second.goto('/dashboard/roles')
      await row(second, name).click()
      await box(second, 'View Invoices').click()
      await saveMatrix(second)
      await box(page, 'View Customers').click()
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await expect(page.getByRole('alert')).toContainText('You changed this')
      const theirs = page.getByRole('list', { name: 'Changed meanwhile' })
      await expect(theirs).toContainText('View Invoices: on')
      await expect(box(page, 'View Customers')).toBeChecked()
      await checkAccessibility(page)
      await saveMatrix(page)
      await page.reload()
      await row(page, name).click()
      await expect(box(page, 'View Customers')).toBeChecked()
      await expect(box(page, 'View Invoices')).toBeChecked()
      await page.getByRole('button', { name: `Delete ${name}` }).click()
      await page.getByRole('button', { name: 'Delete role' }).click()
      await expect(page.getByText('Role deleted successfully')).toBeVisible()
      await context.close()
    })
  })

  test('roles are accessible and unsaved changes need confirmation', async ({ page }) => {
    test.setTimeout(180_000)
    await page.goto('/dashboard/roles')
    await expect(page).toHaveTitle('Roles Management · Forecourt')
    await row(page, 'Sälj').click()
    await box(page, 'Add Imports').click()
    await checkAccessibility(page)
    await page.getByRole('link', { name: 'Customers' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible()
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.setViewportSize({ width: 360, height: 740 })
    await expect(page.getByRole('list', { name: 'Permissions of Sälj' })).toBeVisible()
    expect(await isMixed(box(page, 'Add Contacts'))).toBe(true)
    await checkLayout(page)
    await page.getByRole('button', { name: 'Collapse Contacts' }).click()
    await expect(box(page, 'Add Imports')).toHaveCount(0)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('button', { name: 'Create Role' }).click()
    await page.getByRole('button', { name: 'Create role', exact: true }).click()
    await expect(page.getByText('Please fill in all required fields')).toHaveCount(3)
    await checkLayout(page)
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('no such role')
    await page.keyboard.press('Enter')
    await expect(page.getByText('No roles found matching your search')).toBeVisible()
    await checkAccessibility(page)
  })
})

import { accounts, sessionOf } from './accounts'
import { checkAccessibility, checkLayout, expect, rowAction, test } from './test'

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 1440, height: 900 } })

  test('searches for a user and clears the search', async ({ page }) => {
    await page.goto('/dashboard/users')
    await expect(page).toHaveTitle('User Management · Forecourt')
    await expect(
      page.getByRole('row', { name: /Hugo Berg sales@nordbil.example Sälj User .* Active/ }),
    ).toBeVisible()
    await checkAccessibility(page)
    await page.keyboard.press('/')
    await page.keyboard.type('HUGO')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Showing 1 to 1 of 1 user')).toBeVisible()
    await expect(page).toHaveURL('/dashboard/users?search=HUGO')
    await page.goBack()
    await expect(page.getByText(accounts.clerk)).toBeVisible()
    await page.getByRole('searchbox').fill('nobody of that name')
    await page.keyboard.press('Enter')
    await expect(page.getByText('No users found')).toBeVisible()
    await checkAccessibility(page)
    await page.getByRole('link', { name: 'Clear search' }).click()
    await expect(page.getByText(accounts.clerk)).toBeVisible()
  })

  test.describe('with expected errors', () => {
    test.use({ expectedStatuses: [409] })

    test("the form says why the last administrator can't be demoted, and that an email is taken", async ({
      page,
    }) => {
      await page.goto('/dashboard/users?search=Lindqvist')
      await expect(page.getByRole('button', { name: 'Edit Ada Lindqvist' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Delete Ada Lindqvist' })).toHaveCount(0)
      await page.getByRole('button', { name: 'Edit Ada Lindqvist' }).click()
      const own = page.getByRole('dialog', { name: 'Edit user' })
      await own.getByRole('combobox', { name: 'Type' }).click()
      await page.getByRole('option', { name: 'User', exact: true }).click()
      await own.getByRole('button', { name: 'Save changes' }).click()
      await expect(own.getByRole('alert')).toHaveText(
        "This is the corporation's last active Admin. Add another one first.",
      )
      await checkAccessibility(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard' }).click()

      await page.goto('/dashboard/users')
      await page.getByRole('button', { name: 'Add User' }).click()
      const form = page.getByRole('dialog', { name: 'Add User' })
      await form.getByLabel('First name').fill('Hugo')
      await form.getByLabel('Last name').fill('Twice')
      await form.getByLabel('Email').fill(accounts.sales)
      await form.getByRole('combobox', { name: 'Role' }).click()
      await page.getByRole('option', { name: 'Sälj' }).click()
      await form.getByLabel('Password', { exact: true }).fill('demo-password')
      await form.getByRole('button', { name: 'Add user' }).click()
      await expect(form.getByText('Another account already uses this email')).toBeVisible()
      await expect(form.getByLabel('Email')).toBeFocused()
      await expect(form.getByLabel('First name')).toHaveValue('Hugo')
      await checkAccessibility(page)
    })
  })

  test('sees a list of users and dialogs that are accessible and fit a phone', async ({ page }) => {
    test.setTimeout(180_000)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/dashboard/users')
    await expect(page.getByRole('list', { name: 'Users' })).toBeVisible()
    await checkLayout(page)
    await page.getByRole('button', { name: 'Add User' }).click()
    await page.getByRole('button', { name: 'Add user', exact: true }).click()
    await expect(page.getByText('This field is required')).toHaveCount(5)
    await expect(page.getByText('Please fill in all required fields')).toBeVisible()
    await checkLayout(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await (await rowAction(page, 'Hugo Berg', 'Delete Hugo Berg')).click()
    await expect(page.getByRole('dialog', { name: 'Delete User' })).toContainText('Hugo Berg')
    await checkLayout(page)
  })
})

test.describe('a clerk', () => {
  test.use({ storageState: sessionOf('clerk'), expectedStatuses: [403] })

  test('sees neither users nor roles', async ({ page }) => {
    for (const title of ['Users Management', 'Roles Management']) {
      await page.goto(title === 'Users Management' ? '/dashboard/users' : '/dashboard/roles')
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(page.getByText(`Your role doesn't include ${title}`)).toBeVisible()
      await expect(page.getByRole('button', { name: /^(Add|Create|Edit|Delete)/ })).toHaveCount(0)
      await checkAccessibility(page)
    }
  })
})

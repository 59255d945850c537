import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { checkAccessibility, checkLayout, confirmWithKeyboard, expect, rowAction, test } from './test'

/** Creates a contact by keyboard only, searches for it, and opens it from the list. */
async function addAndFind(page: Page, name: string) {
  await page.goto('/dashboard/contacts')
  const add = page.getByRole('button', { name: '+ Add New Contact' })
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Create New Contact' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Contact created successfully')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(add).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Showing 1 to 1 of 1 contact')).toBeVisible()
}

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin') })

  test('edits and deletes a contact by keyboard; Back and reload keep the search', async ({ page }) => {
    const name = `Keyboard Testsson ${Date.now()}`
    await addAndFind(page, name)
    await page.getByRole('button', { name: `Edit ${name}` }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Edit Contact' })
    await expect(dialog).toBeVisible()
    await expect(dialog.getByLabel('Name')).toBeFocused()
    for (const label of ['Email', 'Phone']) {
      await page.keyboard.press('Tab')
      await expect(dialog.getByLabel(label)).toBeFocused()
    }
    await page.keyboard.type('+46 70 111 22 33')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Contact updated successfully')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('+46 70 111 22 33')).toBeVisible()
    await expect(page.getByRole('button', { name: `Edit ${name}` })).toBeFocused()

    const list = page.url()
    await page.reload()
    await expect(page.getByText('Showing 1 to 1 of 1 contact')).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveValue(name)
    await page.getByRole('link', { name: `View details of ${name}` }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(list)
    await page.goForward()
    await page.getByRole('button', { name: 'More actions' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Delete contact' })
    await expect(question.getByText('Are you sure you want to delete this contact?')).toBeVisible()
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await checkAccessibility(page)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Contact deleted successfully')).toBeVisible()
    await expect(page).toHaveURL(list)
    await expect(page.getByText(`No contacts found for “${name}”`)).toBeVisible()
  })

  test('adds, edits and deletes a comment with keys', async ({ page }) => {
    const name = `Comment Testsson ${Date.now()}`
    await addAndFind(page, name)
    await page.getByRole('link', { name: `View details of ${name}` }).click()
    const comments = page.getByRole('region', { name: 'Comments' })
    await expect(comments.getByText('No comments available')).toBeVisible()
    await expect(comments.getByRole('button', { name: 'Add comment' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await comments.getByLabel('New comment').focus()
    await page.keyboard.type('Wants a Volvo.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Call on Monday.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(comments.getByRole('listitem').getByText('Wants a Volvo. Call on Monday.')).toBeVisible()
    await expect(comments.getByRole('listitem')).toContainText('Ada Lindqvist')

    await comments.getByLabel('New comment').fill('Called twice.')
    await page.keyboard.press('Control+Enter')
    await expect(comments.getByRole('listitem').first()).toContainText('Called twice.')
    await expect(comments.getByRole('heading')).toContainText('2')

    await comments
      .getByRole('button', { name: /^Edit the comment by Ada Lindqvist/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await expect(comments.getByLabel('Edit comment')).toBeFocused()
    await checkAccessibility(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' No answer.')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Keep editing' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(comments.getByLabel('Edit comment')).toHaveValue('Called twice. No answer.')
    await comments.getByLabel('Edit comment').press('Control+Enter')
    await expect(comments.getByRole('listitem').first()).toContainText('Called twice. No answer.')
    await expect(comments.getByText('· edited')).toBeVisible()

    await comments
      .getByRole('button', { name: /^Delete the comment/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Are you sure you want to delete this comment?')).toBeVisible()
    await confirmWithKeyboard(page.getByRole('dialog'))
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(comments.getByRole('listitem')).toHaveCount(1)
    await page.reload()
    await expect(comments.getByRole('listitem')).toHaveCount(1)
    await expect(comments.getByRole('listitem').getByText('Wants a Volvo. Call on Monday.')).toBeVisible()
  })

  for (const width of [360, 768, 1440]) {
    test(`the contact list and form fit ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/dashboard/contacts?page=3')
      await expect(page.getByText(/^Showing 21 to 30 of/)).toBeVisible()
      await checkLayout(page)
      await (await rowAction(page, /^Actions for/, /^Edit /)).click()
      await expect(page.getByRole('dialog', { name: 'Edit Contact' })).toBeVisible()
      await checkLayout(page)
    })

    test(`the contact page fits ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/dashboard/contacts?page=3')
      await (await rowAction(page, /^Actions for/, /^View details/)).click()
      await expect(page.getByRole('heading', { name: 'System Information' })).toBeVisible()
      await checkLayout(page)
      await page.goBack()
      await expect(page.getByText(/^Showing 21 to 30 of/)).toBeVisible()
    })
  }

  test('adds a contact and finds it by search', async ({ page }) => {
    const name = `Åsa Testsson ${Date.now()}`
    await page.goto('/dashboard/contacts')
    await expect(page).toHaveTitle('Contacts Management · Forecourt')
    await page.getByRole('button', { name: '+ Add New Contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create New Contact' })
    await dialog.getByRole('button', { name: 'Create contact' }).click()
    await expect(dialog.getByText('Name is required', { exact: true })).toBeVisible()
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Email').fill('asa@test.example')
    await dialog.getByLabel('Website').fill('test.example')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Contact created successfully')).toBeVisible()
    await expect(dialog).toBeHidden()

    await page.keyboard.press('/')
    await page.keyboard.type(name.toUpperCase().replace('Å', 'A'))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Showing 1 to 1 of 1 contact')).toBeVisible()
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.getByRole('link', { name: `View details of ${name}` }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('link', { name: 'test.example', exact: true })).toHaveAttribute(
      'href',
      'https://test.example',
    )
    await expect(page).toHaveTitle(`${name} · Forecourt`)
    await page.getByRole('main').getByRole('link', { name: 'Contacts' }).click()
    await expect(page).toHaveURL(/search=/)
  })

  test('Back returns to the previous page of the list', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    await page.getByRole('link', { name: 'Page 2', exact: true }).click()
    await expect(page.getByText(/^Showing 11 to 20 of \d+ contacts$/)).toBeVisible()
    await expect(page).toHaveURL('/dashboard/contacts?page=2')
    await page.getByRole('link', { name: 'Next page' }).click()
    await expect(page.getByText(/^Showing 21 to 30 of \d+ contacts$/)).toBeVisible()
    await page.goBack()
    await expect(page.getByText(/^Showing 11 to 20 of \d+ contacts$/)).toBeVisible()
    await page.goto('/dashboard/contacts?page=99999')
    await expect(page.getByText('This page is empty')).toBeVisible()
  })

  test('clears a search without results', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    await page.getByRole('searchbox').fill('no such person anywhere')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText('No contacts found for “no such person anywhere”')).toBeVisible()
    await checkAccessibility(page)
    await page.getByRole('link', { name: 'Clear search' }).click()
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible()
  })

  test('opens the contact form and navigates on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/dashboard/contacts')
    await expect(page.getByRole('list', { name: 'Contacts' })).toBeVisible()
    await page.getByRole('button', { name: '+ Add New Contact' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkLayout(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkAccessibility(page)
    await page.getByRole('link', { name: 'Customers' }).click()
    await expect(page).toHaveURL('/dashboard/customers')
  })

  test('the colour scheme survives a reload', async ({ page }) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Colour scheme' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  })

  test('the skip link moves the focus to the content', async ({ page }) => {
    await page.goto('/dashboard')
    const first = page.getByRole('link', { name: /^Invoiced this month/ })
    await expect(first).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(first).toBeFocused()
    await checkAccessibility(page)
  })

  test('without a refresh token, the app redirects to the login page, which keeps the address', async ({
    page,
  }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('refreshToken'))
    await page.goto('/dashboard/contacts')
    await expect(page).toHaveURL('/login?next=%2Fdashboard%2Fcontacts')
  })
})

test.describe('an administrator with a second tab', () => {
  test.use({ storageState: sessionOf('admin'), expectedStatuses: [409] })

  test('a save shows the changes of another tab and loses no input', async ({ page, context }) => {
    const name = `Conflict Testsson ${Date.now()}`
    await addAndFind(page, name)
    await page.getByRole('link', { name: `View details of ${name}` }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    const other = await context.newPage()
    await other.goto(page.url())
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Phone').fill('+46 70 1')
    await other.getByRole('button', { name: 'Edit', exact: true }).click()
    await other.getByRole('dialog').getByLabel('Phone').fill('+46 70 2')
    await other.keyboard.press('Enter')
    await expect(other.getByText('Contact updated successfully')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('radio', { name: /Yours/ })).toBeChecked()
    await checkAccessibility(page)
    await page.getByRole('radio', { name: /Theirs/ }).check()
    await expect(page.getByRole('dialog').getByLabel('Phone', { exact: true })).toHaveValue('+46 70 2')
    await page.getByRole('radio', { name: /Yours/ }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('link', { name: '+46 70 1', exact: true })).toBeVisible()
  })
})

test.describe('a clerk', () => {
  test.use({ storageState: sessionOf('clerk') })

  test('can read contacts, but not add or import any', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible()
    await expect(page.getByRole('button', { name: '+ Add New Contact' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Import Contacts' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^(Edit|Delete) / })).toHaveCount(0)
    await page
      .getByRole('link', { name: /^View details/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'System Information' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Edit|More actions)$/ })).toHaveCount(0)
    await page.goto('/dashboard/contacts/imports/new')
    await expect(page.getByText("You can't import contacts")).toBeVisible()
    await checkAccessibility(page)
  })

  test('can edit and delete only their own comment', async ({ page, browser }) => {
    const admin = await browser.newPage({ storageState: sessionOf('admin') })
    const name = `Shared Testsson ${Date.now()}`
    await addAndFind(admin, name)
    await admin.getByRole('link', { name: `View details of ${name}` }).click()
    await admin.getByLabel('New comment').fill('From the administrator.')
    await admin.keyboard.press('Control+Enter')
    // The history shows the comment, too.
    const written = admin.getByRole('region', { name: 'Comments' }).getByRole('listitem')
    await expect(written.getByText('From the administrator.')).toBeVisible()

    await page.goto(admin.url())
    const comments = page.getByRole('region', { name: 'Comments' })
    await expect(comments.getByRole('listitem').getByText('From the administrator.')).toBeVisible()
    await expect(comments.getByRole('button', { name: /^(Edit|Delete) the comment/ })).toHaveCount(0)
    await comments.getByLabel('New comment').fill('From the clerk.')
    await comments.getByRole('button', { name: 'Add comment' }).click()
    await expect(comments.getByRole('listitem').getByText('From the clerk.')).toBeVisible()
    await expect(comments.getByRole('button', { name: /^Edit the comment by Maja Holm/ })).toHaveCount(1)
    await expect(comments.getByRole('button', { name: /^Delete the comment/ })).toHaveCount(1)

    await admin.reload()
    const theirs = admin.getByRole('region', { name: 'Comments' })
    await expect(theirs.getByRole('listitem').getByText('From the clerk.')).toBeVisible()
    await expect(theirs.getByRole('button', { name: /^Edit the comment by Maja Holm/ })).toHaveCount(0)
    await theirs.getByRole('button', { name: /^Delete the comment by Maja Holm/ }).click()
    await admin.getByRole('button', { name: 'Delete comment', exact: true }).click()
    await expect(theirs.getByRole('listitem').getByText('From the clerk.')).toHaveCount(0)
    await admin.close()
  })

  test('sees only the navigation that the role grants', async ({ page }) => {
    await page.goto('/dashboard')
    const main = page.getByRole('navigation', { name: 'Main' })
    await expect(main.getByRole('link', { name: 'Customers' })).toBeVisible()
    await expect(main.getByText('Invoices')).toHaveCount(0)
    await page.getByRole('button', { name: /Profile menu/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Users Management' })).toHaveCount(0)
    await expect(page.getByRole('menuitem', { name: 'Roles Management' })).toHaveCount(0)
  })
})

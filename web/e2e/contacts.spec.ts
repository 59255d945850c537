import { sessionOf } from './people'
import { expect, fitsTheWindow, scan, test } from './test'

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin') })

  test('adds a contact and finds it by search', async ({ page }) => {
    const name = `Åsa Testsson ${Date.now()}`
    await page.goto('/dashboard/contacts')
    await expect(page).toHaveTitle('Contacts · Forecourt')
    await page.getByRole('button', { name: '+ Add New Contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create New Contact' })
    await dialog.getByRole('button', { name: 'Create contact' }).click()
    await expect(dialog.getByText('Name is required')).toBeVisible()
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
    await expect(page.getByText('Showing 1 to 1 of 1 contacts')).toBeVisible()
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

  test('turns pages, and Back returns to the one before', async ({ page }) => {
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

  test('finds nothing, and clears the search', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    await page.getByRole('searchbox').fill('no such person anywhere')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText('No contacts found for “no such person anywhere”')).toBeVisible()
    await scan(page)
    await page.getByRole('link', { name: 'Clear search' }).click()
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible()
  })

  test('sees accessible screens that fit a phone', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible()
    await scan(page)
    await page.getByRole('button', { name: '+ Add New Contact' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await scan(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()

    await page.setViewportSize({ width: 360, height: 740 })
    await expect(page.getByRole('list', { name: 'Contacts' })).toBeVisible()
    await fitsTheWindow(page)
    await scan(page)
    await page
      .getByRole('link', { name: /^View details/ })
      .first()
      .click()
    await expect(page.getByText('System Information')).toBeVisible()
    await fitsTheWindow(page)
    await scan(page)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await scan(page)
    await page.getByRole('link', { name: 'Customers' }).click()
    await expect(page.getByText('This screen is on its way')).toBeVisible()
    await fitsTheWindow(page)
    await scan(page)
  })

  test('chooses a colour scheme, which stays', async ({ page }) => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Colour scheme' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  })

  test('reaches the content with the keyboard alone', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: /^Contacts/ })).toBeFocused()
    await scan(page)
  })

  test('signs in again after the session was ended elsewhere', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('refreshToken'))
    await page.goto('/dashboard/contacts')
    await expect(page).toHaveURL('/login?next=%2Fdashboard%2Fcontacts')
  })
})

test.describe('a clerk', () => {
  test.use({ storageState: sessionOf('clerk') })

  test('may look at contacts, but not add or import any', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible()
    await expect(page.getByRole('button', { name: '+ Add New Contact' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Import Contacts' })).toHaveCount(0)
    await page.goto('/dashboard/contacts/imports/new')
    await expect(page.getByText("You can't import contacts")).toBeVisible()
    await scan(page)
  })

  test('sees only the navigation that the role grants', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await page.getByRole('button', { name: /Profile menu/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Roles Management' })).toHaveCount(0)
  })
})

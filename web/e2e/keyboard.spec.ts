import { accounts, mailedCode, PASSWORD, sessionOf, typeCode } from './accounts'
import { checkAccessibility, checkLayout, expect, test } from './test'

test('signs in, finds a customer and opens the form for a new one without a pointer', async ({ page }) => {
  const press = (key: string) => page.keyboard.press(key)
  const type = (text: string) => page.keyboard.type(text)
  await page.goto('/login')
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible()
  const code = await mailedCode(accounts.sales, async () => {
    await page.getByLabel('Email', { exact: true }).focus()
    await type(accounts.sales)
    await page.getByLabel('Password', { exact: true }).focus()
    await type(PASSWORD)
    await press('Enter')
    await expect(page).toHaveURL(/\/otp$/)
  })
  await typeCode(page, code)
  await expect(page).toHaveURL(/\/dashboard/)
  // Waits for the page, because the URL changes before the page is shown.
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

  await press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Find anything' })
  const box = palette.getByRole('combobox', { name: 'Search screens, actions and records' })
  await expect(box).toBeFocused()
  await expect(palette.getByRole('option', { name: 'Customers', exact: true })).toBeVisible()
  await checkAccessibility(page)
  await type('söderlund')
  const found = palette.getByRole('group', { name: 'Customers' }).getByRole('option')
  await expect(found.first()).toContainText('Söderlund')
  await checkAccessibility(page)
  const name = (await found.first().locator('span span').first().textContent()) ?? ''
  await press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/customers\/[0-9a-f-]+$/)
  await expect(palette).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  await expect(page.getByText('Customer Number')).toBeVisible()
  await checkAccessibility(page)

  await press('Control+k')
  await type('customers')
  await expect(palette.getByRole('option', { name: 'Customers', exact: true })).toBeVisible()
  await press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/customers$/)
  const heading = page.getByRole('heading', { level: 1, name: 'Customers' })
  await expect(heading).toBeFocused()

  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.getByRole('region', { name: 'On this screen' })).toContainText('New Customer')
  await checkAccessibility(page)
  await press('Escape')
  await expect(help).toHaveCount(0)
  await expect(heading).toBeFocused()

  await press('n')
  const form = page.getByRole('dialog', { name: 'Add New Customer' })
  await expect(form).toBeVisible()
  await press('Escape')
  await expect(form).toHaveCount(0)
  await expect(heading).toBeFocused()

  await press('Control+k')
  await expect(palette.getByRole('option').filter({ hasText: name }).first()).toBeVisible()
  await press('Escape')
  await expect(heading).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 360, height: 740 }, hasTouch: true })

  test('the palette opens by a button', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    const button = page.getByRole('button', { name: 'Find anything' })
    await button.tap()
    const palette = page.getByRole('dialog', { name: 'Find anything' })
    await expect(palette.getByRole('option', { name: 'Invoices', exact: true })).toBeVisible()
    await checkLayout(page)
    await palette.getByRole('combobox').fill('import')
    await palette.getByRole('option', { name: 'Import Contacts' }).tap()
    await expect(page).toHaveURL('/dashboard/contacts/imports/new')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })
})

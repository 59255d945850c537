import { accounts, mailedCode, PASSWORD, sessionOf, typeCode } from './accounts'
import { checkAccessibility, expect, expectNoOverflow, test } from './test'

test('signs in, finds a customer and adds one by keyboard only', async ({ page }) => {
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
  // The URL changes before the screen does.
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()

  await press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Find anything' })
  const box = palette.getByRole('combobox', { name: 'Search screens, actions and records' })
  await expect(box).toBeFocused()
  await expect(palette.getByRole('option', { name: 'Customers', exact: true })).toBeVisible()
  await checkAccessibility(page)
  await type('lindqvist')
  const found = palette.getByRole('group', { name: 'Customers' }).getByRole('option')
  await expect(found.first()).toContainText('Lindqvist')
  await checkAccessibility(page)
  const name = (await found.first().locator('span').first().textContent()) ?? ''
  await press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/customers\?search=/)
  await expect(palette).toHaveCount(0)
  const row = page.getByRole('button', { name, exact: true })
  await expect(row).toBeFocused()
  await expect(row).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('Customer Number')).toBeVisible()

  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.getByRole('region', { name: 'On this screen' })).toContainText('New Customer')
  await checkAccessibility(page)
  await press('Escape')
  await expect(help).toHaveCount(0)
  await expect(row).toBeFocused()

  await press('n')
  const form = page.getByRole('dialog', { name: 'Add New Customer' })
  await expect(form).toBeVisible()
  await press('Escape')
  await expect(form).toHaveCount(0)
  await expect(row).toBeFocused()

  await press('Control+k')
  await expect(palette.getByRole('option').first()).toContainText(name)
  await press('Escape')
  await expect(row).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 360, height: 740 }, hasTouch: true })

  test('the palette opens by a button', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    const button = page.getByRole('button', { name: 'Find anything' })
    await button.tap()
    const palette = page.getByRole('dialog', { name: 'Find anything' })
    await expect(palette.getByRole('option', { name: 'Invoices', exact: true })).toBeVisible()
    await expectNoOverflow(page)
    await checkAccessibility(page)
    await palette.getByRole('combobox').fill('import')
    await palette.getByRole('option', { name: 'Import Contacts' }).tap()
    await expect(page).toHaveURL('/dashboard/contacts/imports/new')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })
})

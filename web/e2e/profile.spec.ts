import type { Page } from '@playwright/test'
import { accounts, PASSWORD, sessionOf, signIn } from './accounts'
import { checkAccessibility, checkLayout, expect, expectNoOverflow, test } from './test'

const NEW_PASSWORD = 'four herons by a lake'

const svg = `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 60" width="240" height="60">
  <rect width="60" height="60" rx="12" fill="#0f3d5e"/><path d="M76 20h140v20h-140z" fill="#f4b942"/>
</svg>`

/** Returns a PNG picture: a screenshot of a part of this page. */
const png = (page: Page) => page.screenshot({ clip: { x: 0, y: 0, width: 900, height: 500 } })

async function openSettings(page: Page) {
  await page.goto('/dashboard/profile')
  await expect(page.getByText('Your account is ready to use')).toBeVisible()
}

const accent = (page: Page) => page.evaluate(() => document.documentElement.style.getPropertyValue('--brand'))

test.describe('an administrator', () => {
  // One after the other, because these tests change the same user.
  test.describe.configure({ mode: 'default' })
  test.use({ storageState: sessionOf('broker') })

  test('a changed name appears in the top bar immediately', async ({ page }) => {
    await openSettings(page)
    await expect(page).toHaveTitle('Settings · Forecourt')
    await page.getByLabel('First name').fill('Owain')
    await page.getByLabel('Mobile').fill('')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Mobile is required')).toBeVisible()
    await expect(page.getByLabel('Mobile')).toBeFocused()
    await page.keyboard.type('+44 7700 900123')

    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect(page).toHaveURL('/dashboard/profile')
    await page.getByLabel('Mobile').press('Enter')
    await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Profile menu of Owain Pryce' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Owain Pryce' })).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('First name')).toHaveValue('Owain')
    await page.getByLabel('First name').fill('Owen')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('button', { name: 'Profile menu of Owen Pryce' })).toBeVisible()
  })

  test('crops a picture by keyboard, and it appears in the top bar', async ({ page }) => {
    await openSettings(page)
    await page
      .getByLabel('Picture file')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await png(page) })
    const dialog = page.getByRole('dialog', { name: 'Crop your picture' })
    await expect(dialog.getByRole('group', { name: /Crop area/ })).toBeFocused()
    await checkAccessibility(page)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('slider', { name: 'Zoom' })).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByText("Your new picture isn't saved yet.")).toBeVisible()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
    const picture = page.getByRole('banner').locator('img[src^="/api/images/"]')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(256)
  })

  test('a chosen colour applies immediately and stays readable', async ({ page }) => {
    await openSettings(page)
    await page.evaluate(() => Object.assign(window, { notReloaded: true }))
    await page.getByText('Yellow', { exact: true }).click()
    await expect.poll(() => accent(page)).toBe('#eab308')
    await expect(page.getByText('Theme color applied successfully')).toBeVisible()
    expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true)
    await checkAccessibility(page)
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Yellow' })).toBeChecked()
    expect(await accent(page)).toBe('#eab308')

    await page.getByLabel('Custom colour').last().fill('#7a1fa2')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => accent(page)).toBe('#7a1fa2')
    await expect(page.getByText('Theme color applied successfully').first()).toBeVisible()

    // After the session has ended, the login page has the default colour, not that of the previous user.
    await page.evaluate(() => localStorage.removeItem('accessToken'))
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect.poll(() => accent(page)).toBe('#3b82f6')
  })

  test('adds, replaces and removes the logo', async ({ page }) => {
    await openSettings(page)
    const file = page.getByLabel('Logo file')
    const save = page.getByRole('button', { name: 'Save logo' })
    await save.click()
    await expect(page.getByText('Please select a logo file first')).toBeVisible()
    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('GIF89a') })
    await expect(page.getByText('Please upload a valid image file (PNG, JPG, or SVG)')).toBeVisible()

    await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await png(page) })
    await expect(page.getByRole('img', { name: 'Preview of logo.png' })).toBeVisible()
    await save.click()
    await expect(page.getByText('Logo uploaded successfully')).toBeVisible()
    const logo = page.getByRole('banner').getByRole('img', { name: 'Kestrel Cars Ltd' })
    const width = () => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)
    await expect.poll(width).toBeGreaterThan(0)
    const first = await logo.getAttribute('src')

    await file.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
    await save.click()
    await expect.poll(() => logo.getAttribute('src')).not.toBe(first)
    await expect.poll(width).toBeGreaterThan(0)
    await checkAccessibility(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectNoOverflow(page)
    await page.setViewportSize({ width: 1280, height: 800 })

    await page.getByRole('button', { name: 'Remove logo' }).click()
    await expect(page.getByRole('button', { name: 'Keep logo' })).toBeFocused()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByText('Logo removed successfully')).toBeVisible()
    await expect(page.getByRole('banner').getByText('Forecourt')).toBeVisible()
  })

  test.describe('with a wrong password first', () => {
    test.use({ expectedStatuses: [400] })

    test('changes the password and stays signed in', async ({ page }) => {
      await openSettings(page)
      const change = async (current: string, next: string) => {
        await page.getByRole('button', { name: 'Change Password' }).click()
        await page.getByLabel('Current password').fill(current)
        await page.getByLabel('New password', { exact: true }).fill(next)
        await page.getByLabel('Confirm password').fill(next)
        await page.keyboard.press('Enter')
      }
      await change('not it', NEW_PASSWORD)
      await expect(page.getByText('The current password is incorrect')).toBeVisible()
      await expect(page.getByLabel('Current password')).toBeFocused()
      await checkAccessibility(page)
      await page.getByLabel('Current password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      const done = page.getByText('Password changed successfully')
      await expect(done).toBeVisible()
      await expect(page.getByRole('dialog', { name: 'Change Password' })).toBeHidden()
      await change(NEW_PASSWORD, PASSWORD)
      await expect(done).toHaveCount(2)
      await page.reload()
      await expect(page.getByText('Your account is ready to use')).toBeVisible()
    })
  })

  test('a colour for everyone reaches a colleague, who deletes their account', async ({
    page,
    browser,
    baseURL,
  }) => {
    test.setTimeout(60_000)
    await openSettings(page)
    await page.getByRole('checkbox', { name: 'For everyone in Kestrel Cars Ltd' }).click()
    await page.getByText('Teal', { exact: true }).click()
    await expect(page.getByText('Theme color applied successfully')).toBeVisible()
    await expect.poll(() => accent(page)).toBe('#14b8a6')

    const context = await browser.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
    const colleague = await context.newPage()
    await colleague.goto('/login')
    await signIn(colleague, accounts.trainee)
    await openSettings(colleague)
    await expect.poll(() => accent(colleague)).toBe('#14b8a6')
    await expect(colleague.getByText('Theme Customization')).toHaveCount(0)
    await expect(colleague.getByText('Website Logo')).toHaveCount(0)
    await colleague.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = colleague.getByRole('dialog', { name: 'Delete Account' })
    await expect(dialog.getByText('This action cannot be undone')).toBeVisible()
    await checkAccessibility(colleague)
    // v9: without the password, an unattended session can't delete the account.
    const password = dialog.getByRole('textbox', { name: 'Your password' })
    await password.fill('not my password')
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await expect(dialog.getByText('The current password is incorrect')).toBeVisible()
    await password.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await expect(colleague.getByText('Your account has been deleted successfully')).toBeVisible()
    await expect(colleague).toHaveURL('/login')
    expect(await colleague.evaluate(() => localStorage.getItem('refreshToken'))).toBeNull()
    await context.close()
  })
})

test.describe('the last administrator', () => {
  test.use({ storageState: sessionOf('admin'), expectedStatuses: [409] })

  test("sees why the account can't be deleted", async ({ page }) => {
    await openSettings(page)
    await page.getByRole('button', { name: 'Delete Account' }).click()
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
      'You are the last active Admin. Give another user this type first. Go to users',
    )
    await expect(page).toHaveURL('/dashboard/profile')
  })
})

test.describe('a clerk', () => {
  test.use({ storageState: sessionOf('clerk') })

  test("sees accessible settings without those of the corporation's color", async ({ page }) => {
    await openSettings(page)
    await expect(page.getByText('Organization Information')).toBeVisible()
    await expect(page.getByText('Theme Customization')).toHaveCount(0)
    await checkAccessibility(page)
  })

  test('sees accessible settings that fit a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await openSettings(page)
    await checkLayout(page)
  })

  test('the password dialog is accessible and fits a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await openSettings(page)
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(page.getByRole('dialog', { name: 'Change Password' })).toBeVisible()
    await checkLayout(page)
  })
})

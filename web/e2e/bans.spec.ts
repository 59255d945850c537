import { accounts, login, sessionOf, signIn } from './accounts'
import { checkAccessibility, checkLayout, expect, rowAction, test } from './test'

test.describe('a platform administrator', () => {
  test.use({ storageState: sessionOf('platform') })

  test('searches corporations and opens the users of one', async ({ page }) => {
    test.setTimeout(60_000)
    await page.goto('/dashboard/admin')
    await page.getByRole('button', { name: /Profile menu/ }).click()
    await page.getByRole('menuitem', { name: 'Corporations' }).click()
    await expect(page).toHaveTitle('Corporations · Forecourt')
    const row = page.getByRole('row', { name: /Kestrel Cars Ltd/ })
    await expect(row.getByText('Active', { exact: true })).toBeVisible()
    await checkAccessibility(page)
    await page.keyboard.press('/')
    await page.keyboard.type('KESTREL')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Showing 1 to 1 of 1 item')).toBeVisible()
    await row.click()
    await expect(page.getByText('Users for Kestrel Cars Ltd')).toBeVisible()
    await expect(
      page.getByRole('row', { name: /Grace Whitfield .* Admin Administrator Active/ }),
    ).toBeVisible()
    await checkAccessibility(page)
    await page.getByRole('main').getByRole('link', { name: 'Corporations' }).click()
    await expect(page).toHaveURL('/dashboard/corporations?search=KESTREL')
  })

  test('corporations and users are accessible and fit a phone', async ({ page }) => {
    test.setTimeout(60_000)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/dashboard/corporations')
    await expect(page.getByText(/^Showing 1 to \d+ of \d+ items$/)).toBeVisible()
    await checkLayout(page)
    await page.getByRole('link', { name: 'Kestrel Cars Ltd', exact: true }).click()
    await expect(page.getByText(accounts.kestrel)).toBeVisible()
    await checkLayout(page)
    await (await rowAction(page, 'Grace Whitfield', 'Ban Grace Whitfield')).click()
    await expect(page.getByRole('dialog', { name: 'Ban Grace Whitfield?' })).toBeVisible()
    await checkLayout(page)
  })
})

test.describe('a banned user', () => {
  test.use({ expectedStatuses: [401, 403] })

  test('a banned user is signed out, sees the reason after typing the right password, and can sign in after the ban is lifted', async ({
    page,
    browser,
    baseURL,
  }) => {
    test.setTimeout(90_000)
    const context = await browser.newContext({ baseURL, storageState: sessionOf('platform') })
    const platform = await context.newPage()
    await platform.goto('/dashboard/corporations?search=weser')
    await platform.getByRole('link', { name: /View users of Autohaus Weser/ }).click()
    const row = platform.getByRole('row', { name: /Lena Brandt/ })
    const active = row.getByText('Active', { exact: true })
    const liftBan = row.getByRole('button', { name: 'Lift the ban on Lena Brandt' })
    const lift = platform.getByRole('dialog', { name: 'Lift the ban on Lena Brandt?' })
    await expect(active.or(liftBan)).toBeVisible()
    // A run that failed halfway has left the user banned.
    if (await liftBan.isVisible()) {
      await liftBan.click()
      await lift.getByRole('button', { name: 'Lift ban' }).click()
      await expect(active).toBeVisible()
    }
    await page.goto('/login')
    await signIn(page, accounts.banned)
    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible()

    // Bans the user by keyboard only. Enter in the reason starts a new line and does not submit the form.
    const ban = row.getByRole('button', { name: 'Ban Lena Brandt' })
    await ban.press('Enter')
    const dialog = platform.getByRole('dialog', { name: 'Ban Lena Brandt?' })
    const reason = dialog.getByRole('textbox', { name: 'Reason' })
    await reason.press('Control+a')
    await platform.keyboard.type('Sold the address book')
    await platform.keyboard.press('Enter')
    await platform.keyboard.type('Twice')
    await expect(reason).toHaveValue('Sold the address book\nTwice')
    await platform.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Ban user' })).toBeFocused()
    await platform.keyboard.press('Enter')
    await expect(platform.getByText('User banned. They were signed out everywhere.')).toBeVisible()
    await expect(row.getByText('Banned')).toBeVisible()

    // The server ended the stream of events, so the list may have left by itself, before this link could be clicked.
    await page.goto('/dashboard/contacts?page=2')
    await expect(page).toHaveURL(/\/login/)
    await login(page, accounts.banned, 'not the password')
    await expect(page.getByText('Invalid email or password')).toBeVisible()
    await login(page, accounts.banned)
    const banNotice = page.getByRole('dialog', { name: 'Account Banned' })
    await expect(banNotice.getByText('Sold the address book')).toBeVisible()
    await checkAccessibility(page)
    await banNotice.getByRole('button', { name: 'Close', exact: true }).click()

    await liftBan.click()
    await expect(lift.getByText('Sold the address book')).toBeVisible()
    await checkAccessibility(platform)
    await lift.getByRole('button', { name: 'Lift ban' }).click()
    await expect(active).toBeVisible()
    await context.close()
    await signIn(page, accounts.banned)
    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible()
  })
})

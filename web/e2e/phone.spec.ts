import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { checkAccessibility, checkLayout, devices, expect, test } from './test'

const tabBar = (page: Page) => page.getByRole('navigation', { name: 'Tabs' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test.describe('an administrator with a phone', () => {
  test.use({ storageState: sessionOf('admin'), ...devices['a phone'] })

  test('the tab bar leads to the tabs, and More to all other pages', async ({ page }) => {
    await page.goto('/dashboard')
    const bar = tabBar(page)
    const tab = (name: string) => bar.getByRole('link', { name })
    await expect(bar.getByRole('link')).toHaveText(['Home', 'Vehicles', 'Customers'])
    await expect(tab('Home')).toHaveAttribute('aria-current', 'page')
    for (const control of await bar.locator('a, button').all()) {
      const box = await control.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), 'size of a target').toBeGreaterThanOrEqual(48)
    }
    await tab('Customers').tap()
    await expect(page).toHaveURL('/dashboard/customers')
    await expect(tab('Customers')).toHaveAttribute('aria-current', 'page')
    await expect(tab('Home')).not.toHaveAttribute('aria-current')
    await bar.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('dialog').getByRole('link', { name: 'Invoices' }).tap()
    await expect(page).toHaveURL('/dashboard/invoices')
    await expect(bar.getByRole('button', { name: 'More' })).toHaveAttribute('aria-current', 'true')
    await checkLayout(page)
  })

  test('the middle of the tab bar creates a record from any page', async ({ page }) => {
    await page.goto('/dashboard')
    await tabBar(page).getByRole('button', { name: 'Create' }).tap()
    await expect(page.getByRole('menuitem', { name: 'New customer' })).toBeVisible()
    await checkAccessibility(page)
    await page.goBack()
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(page).toHaveURL('/dashboard')
    await tabBar(page).getByRole('button', { name: 'Create' }).tap()
    await page.getByRole('menuitem', { name: 'New customer' }).tap()
    const form = page.getByRole('dialog', { name: 'Add New Customer' })
    await expect(form).toBeVisible()
    await page.goBack()
    await expect(form).toBeHidden()
    await expect(heading(page, 'Customers')).toBeVisible()

    await page.goto('/dashboard/customers?search=holm')
    await tabBar(page).getByRole('button', { name: 'Create' }).tap()
    await page.getByRole('menuitem', { name: 'New customer' }).tap()
    await expect(form).toBeVisible()
    await expect(page).toHaveURL('/dashboard/customers?search=holm')
  })

  test('the buttons of a form stay in view, and a message is above them', async ({ page }) => {
    await page.goto('/dashboard/customers')
    await page.getByRole('button', { name: 'New Customer' }).tap()
    const form = page.getByRole('dialog', { name: 'Add New Customer' })
    const save = form.getByRole('button', { name: 'Create customer' })
    await expect(save).toBeInViewport({ ratio: 1 })
    await save.tap()
    const message = page.getByText('Please fill in all required fields correctly')
    await expect(message).toBeVisible()
    const bottom = async () => {
      const box = await message.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    await expect.poll(bottom).toBeLessThanOrEqual((await save.boundingBox())?.y ?? 0)
    await expect(form.getByRole('heading', { name: 'Add New Customer' })).toBeInViewport()
    await form.getByLabel('Latest purchase').scrollIntoViewIfNeeded()
    await expect(form.getByRole('heading', { name: 'Add New Customer' })).toBeInViewport()
    await expect(save).toBeInViewport({ ratio: 1 })
    await checkAccessibility(page)
  })

  test('while the keyboard is open, a field and its error are above the buttons of the form', async ({
    page,
  }) => {
    await page.goto('/dashboard/vehicles')
    await tabBar(page).getByRole('button', { name: 'Create' }).tap()
    await page.getByRole('menuitem', { name: 'New vehicle' }).tap()
    const form = page.getByRole('dialog', { name: 'New vehicle' })
    const mileage = form.getByLabel('Mileage', { exact: true })
    const error = form.getByText('Enter the mileage as a whole number up to 9,999,999.')
    await mileage.fill('x')
    await mileage.blur()
    await expect(error).toBeVisible()
    await mileage.tap()
    await page.setViewportSize({ width: 360, height: 400 })
    await page.keyboard.type('y')
    const bottom = async () => {
      const box = await error.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    const buttons = form.getByRole('button', { name: 'Create vehicle' })
    await expect
      .poll(async () => (await bottom()) - ((await buttons.boundingBox())?.y ?? 0))
      .toBeLessThanOrEqual(0)
  })

  test('the tab bar makes room for the keyboard, and is not printed', async ({ page }) => {
    await page.goto('/dashboard/customers')
    const search = page.getByRole('searchbox')
    await expect(tabBar(page)).toBeVisible()
    await search.tap()
    await expect(search).toBeFocused()
    await expect(tabBar(page)).toBeHidden()
    await search.blur()
    await expect(tabBar(page)).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(tabBar(page)).toBeHidden()
  })

  test('the first tap after typing reaches what is shown in place of the tab bar', async ({ page }) => {
    await page.goto('/dashboard/customers')
    const bar = await tabBar(page).boundingBox()
    const y = (bar?.y ?? 0) + 28
    await page.getByRole('searchbox').tap()
    await expect(tabBar(page)).toBeHidden()
    // A button at the bottom of the window.
    await page.evaluate(top => {
      const button = document.createElement('button')
      button.textContent = 'Below'
      button.style.cssText = `position: fixed; left: 0; top: ${top - 20}px; width: 60px; height: 40px`
      button.onclick = () => button.remove()
      document.body.append(button)
    }, y)
    await page.touchscreen.tap(30, y)
    await expect(page.getByRole('button', { name: 'Below' })).toHaveCount(0)
    await expect(tabBar(page)).toBeVisible()
    await tabBar(page).getByRole('link', { name: 'Home' }).tap()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('with text twice as large, pages and the tab bar are not wider than the screen', async ({ page }) => {
    await page.goto('/dashboard')
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    const surplus = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    const more = (name: string) =>
      tabBar(page)
        .getByRole('button', { name: 'More' })
        .tap()
        .then(() => page.getByRole('dialog').getByRole('link', { name, exact: true }).tap())
    for (const name of ['Vehicles', 'Agreements']) {
      await more(name)
      await page.getByRole('list', { name, exact: true }).getByRole('link').first().tap()
      await expect(page.getByRole('heading', { name: 'System Information' })).toBeVisible()
      await expect.poll(surplus, name).toBe(0)
    }
    await more('Profile')
    await expect(page.getByRole('button', { name: 'Change Password' })).toBeVisible()
    await expect.poll(surplus, 'Profile').toBe(0)
    let end = 0
    for (const control of await tabBar(page).locator('a, button').all()) {
      const box = await control.boundingBox()
      expect(box?.x, 'a tab').toBeGreaterThanOrEqual(end)
      end = (box?.x ?? 0) + (box?.width ?? 0)
    }
    expect(end).toBeLessThanOrEqual(360)

    await tabBar(page).getByRole('link', { name: 'Customers' }).tap()
    await page.getByRole('button', { name: 'Filter and sort' }).tap()
    await expect(page.getByRole('button', { name: 'Done' })).toBeInViewport({ ratio: 1 })
  })

  test('in landscape, a list shows its first record, and the header scrolls with the page', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 740, height: 360 })
    await page.goto('/dashboard/vehicles')
    const name = page.getByRole('list', { name: 'Vehicles', exact: true }).getByRole('link').first()
    await expect(name).toBeVisible()
    const bar = await tabBar(page).boundingBox()
    const bottom = async () => {
      const box = await name.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    await expect.poll(bottom).toBeLessThanOrEqual(bar?.y ?? 0)
    await page.mouse.wheel(0, 300)
    await expect(page.getByRole('banner')).not.toBeInViewport()
    await expect(tabBar(page)).toBeInViewport({ ratio: 1 })
    await checkLayout(page)
  })

  test('the tab bar covers neither the end of a page nor what has the focus', async ({ page }) => {
    await page.goto('/dashboard/customers')
    await expect(page.getByText(/^Showing 1 to/)).toBeVisible()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const top = (await tabBar(page).boundingBox())?.y ?? 0
    const last = page.getByRole('navigation', { name: 'Pagination' })
    const end = page
      .getByText(/^Showing 1 to/)
      .or(last)
      .last()
    const box = await end.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0), 'end of the list').toBeLessThanOrEqual(top)
    await page.evaluate(() => scrollTo(0, 0))
    const links = page.getByRole('list', { name: 'Customers' }).getByRole('link')
    for (const link of await links.all()) {
      await link.focus()
      const box = await link.boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0), 'a focused link').toBeLessThanOrEqual(top)
    }
  })
})

test.describe('a clerk with a phone', () => {
  test.use({ storageState: sessionOf('clerk'), ...devices['a phone'] })

  test('sees tabs and create actions only for what the role permits', async ({ page }) => {
    await page.goto('/dashboard/customers')
    await expect(tabBar(page).getByRole('link', { name: 'Customers' })).toBeVisible()
    const create = tabBar(page).getByRole('button', { name: 'Create' })
    if (await create.isVisible()) {
      await create.tap()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
      await expect(page.getByRole('menuitem', { name: 'New customer' })).toHaveCount(0)
    }
    await checkAccessibility(page)
  })
})

import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { devices, expect, pageAction, test } from './test'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard your changes?' })

/** Opens the pages `/dashboard/…` with these names, one after the other. */
async function visit(page: Page, ...names: string[]) {
  for (const name of names) await page.goto(`/dashboard/${name}`)
}

async function goBackTo(page: Page, url: string | RegExp) {
  await page.goBack()
  await expect(page).toHaveURL(url)
}

/** Scrolls this link into view and a bit further, and returns the scroll position in pixels. */
async function scrollTo(page: Page, link: ReturnType<Page['getByRole']>) {
  await link.scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 60)
  const where = await scrolled(page)
  expect(where, 'the page is longer than its window').toBeGreaterThan(100)
  return where
}

/** The window sizes. The desktop window is low, so that its pages scroll. */
const sizes = { ...devices, 'a desktop': { viewport: { width: 1280, height: 640 } } }

/** The names in the list of contacts, which lead to their pages. */
const names = (page: Page) => page.getByRole('region', { name: 'Contacts' }).locator('a:has(> [title])')

for (const [device, use] of Object.entries(sizes)) {
  test.describe(`on ${device}`, () => {
    test.use({ storageState: sessionOf('admin'), ...use })

    test('a new page starts at its heading; Back and Forward restore the place', async ({ page }) => {
      await page.goto('/dashboard/contacts')
      const row = names(page).nth(9)
      const down = await scrollTo(page, row)
      await row.click()
      await expect(page).toHaveURL(/contacts\/[\w-]+$/)
      await expect(heading(page)).toBeFocused()
      expect(await scrolled(page)).toBe(0)
      await expect(page.getByRole('region', { name: 'Comments' })).toBeVisible()
      await expect(heading(page)).toBeFocused()

      // Delays the list's data, so that it arrives after the page has rendered.
      await page.route('**/api/contacts?*', async route => {
        await page.evaluate(() => new Promise(requestAnimationFrame))
        await route.continue()
      })
      await page.goBack()
      await expect(row).toBeVisible()
      await expect.poll(() => scrolled(page)).toBe(down)
      await expect(row).toBeFocused()
      await page.goForward()
      await expect(page).toHaveURL(/contacts\/[\w-]+$/)
      await expect.poll(() => scrolled(page)).toBe(0)
      await page.goBack()
      await expect.poll(() => scrolled(page)).toBe(down)
      await page.reload()
      await expect(row).toBeVisible()
      await expect.poll(() => scrolled(page)).toBe(down)
    })

    test('the next page of a list scrolls to its top; Back restores the scroll', async ({ page }) => {
      await page.goto('/dashboard/customers')
      const next = page.getByRole('link', { name: 'Next page' })
      const down = await scrollTo(page, next)
      await next.click()
      await expect(page).toHaveURL(/page=2/)
      await expect(page.getByText(/^Showing 16 to/)).toBeAttached()
      await expect.poll(() => scrolled(page)).toBeLessThan(down)
      const top = await page
        .getByRole('region', { name: 'Customers' })
        .evaluate(list => list.getBoundingClientRect().top)
      const bar = await page.getByRole('banner').evaluate(banner => banner.getBoundingClientRect().bottom)
      expect(top).toBeGreaterThanOrEqual(bar)
      expect(top).toBeLessThan(200)
      await page.goBack()
      await expect(page.getByText(/^Showing 1 to 15/)).toBeAttached()
      await expect.poll(() => scrolled(page)).toBe(down)
    })

    test('Back closes a dialog first, then leaves the page', async ({ page }) => {
      await visit(page, 'customers', 'contacts')
      await page.getByRole('button', { name: '+ Add New Contact' }).click()
      await expect(dialog(page, 'Create New Contact')).toBeVisible()
      await page.goBack()
      await expect(dialog(page, 'Create New Contact')).toBeHidden()
      await expect(page).toHaveURL('/dashboard/contacts')
      // Forward does nothing and opens no dialog, because closing the dialog has removed its history entry.
      await page.goForward()
      await expect(page.getByRole('button', { name: '+ Add New Contact' })).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await goBackTo(page, '/dashboard/customers')
    })

    test('a dialog closed by its button or by saving leaves no history entry', async ({ page }) => {
      await visit(page, 'customers', 'contacts')
      const add = page.getByRole('button', { name: '+ Add New Contact' })
      await add.click()
      await dialog(page, 'Create New Contact').getByRole('button', { name: 'Close dialog' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await add.click()
      await page.getByRole('textbox', { name: 'Name' }).fill(`Back ${Date.now()}`)
      await page.getByRole('button', { name: 'Create contact' }).click()
      await expect(page.getByText('Contact created successfully')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await goBackTo(page, '/dashboard/customers')
    })

    test('Back asks before it discards input, and closes one dialog at a time', async ({ page }) => {
      await visit(page, 'customers', 'contacts')
      const form = dialog(page, 'Create New Contact')
      const name = form.getByRole('textbox', { name: 'Name' })
      await page.getByRole('button', { name: '+ Add New Contact' }).click()
      await name.fill('Åsa')
      await page.goBack()
      await expect(question(page)).toBeVisible()
      await page.goBack()
      await expect(question(page)).toBeHidden()
      await expect(name).toHaveValue('Åsa')
      await page.goBack()
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await expect(question(page)).toBeHidden()
      await expect(name).toHaveValue('Åsa')
      await page.goBack()
      await page.getByRole('button', { name: 'Discard' }).click()
      await expect(form).toBeHidden()
      await expect(page).toHaveURL('/dashboard/contacts')
      await goBackTo(page, '/dashboard/customers')
    })

    test('Back by several entries past a dialog asks, and Discard navigates', async ({ page }) => {
      await page.goto('/dashboard/customers')
      await page.getByRole('button', { name: 'Find anything' }).click()
      await page.getByRole('combobox').fill('contacts')
      await page.getByRole('option', { name: 'All contacts' }).click()
      await expect(page).toHaveURL('/dashboard/contacts')
      await page.getByRole('button', { name: '+ Add New Contact' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Åsa')
      await page.evaluate(() => history.go(-2))
      await expect(question(page)).toBeVisible()
      await expect(page).toHaveURL('/dashboard/contacts')
      await page.getByRole('button', { name: 'Discard' }).click()
      await expect(page).toHaveURL('/dashboard/customers')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.goForward()
      await expect(page).toHaveURL('/dashboard/contacts')
    })

    test('Back closes palette, shortcuts and filter, which leave no history entry', async ({ page }) => {
      await visit(page, 'contacts', 'customers')
      await page.getByRole('button', { name: 'Find anything' }).click()
      await page.goBack()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.keyboard.press('?')
      await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      const filter = dialog(page, 'Filter Customers')
      const openFilter = async () => {
        if (device === 'a phone') {
          await page.getByRole('button', { name: 'Filter and sort' }).click()
          await page.getByRole('button', { name: 'Type and date…' }).click()
        } else await page.getByRole('button', { name: 'Filter', exact: true }).click()
        await expect(filter).toBeVisible()
      }
      await openFilter()
      await page.goBack()
      await expect(filter).toBeHidden()
      await openFilter()
      await filter.getByLabel('From').fill('2020-01-01')
      await filter.getByRole('button', { name: 'Apply' }).click()
      await expect(page).toHaveURL(/from/i)
      await expect(filter).toBeHidden()
      await goBackTo(page, '/dashboard/customers')
      await goBackTo(page, '/dashboard/contacts')
    })

    test('after a deletion Back does not return to the deleted contact', async ({ page }) => {
      await visit(page, 'customers', 'contacts')
      const name = `Gone ${Date.now()}`
      await page.getByRole('button', { name: '+ Add New Contact' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('button', { name: 'Create contact' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.getByRole('searchbox').fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await (await pageAction(page, 'Delete')).click()
      await page.getByRole('button', { name: 'Delete contact' }).click()
      await expect(page.getByText('Contact deleted successfully')).toBeVisible()
      await expect(page).toHaveURL(/contacts\?search/)
      await goBackTo(page, /contacts\?search/)
      await goBackTo(page, '/dashboard/contacts')
    })

    test('a reload removes an open dialog and its history entry', async ({ page }) => {
      await visit(page, 'customers', 'contacts')
      await page.getByRole('button', { name: '+ Add New Contact' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.reload()
      await expect(names(page).first()).toBeVisible()
      await goBackTo(page, '/dashboard/customers')
    })
  })
}

test.describe('the phone navigation', () => {
  test.use({ storageState: sessionOf('admin'), ...devices['a phone'] })

  test('Back closes the phone navigation, whose links leave no history entry for it', async ({ page }) => {
    await page.goto('/dashboard/customers')
    const open = page.getByRole('button', { name: 'More', exact: true })
    const sheet = dialog(page, /Navigation of/)
    const entries = () => page.evaluate(() => history.length)
    const before = await entries()
    await open.click()
    await expect(sheet).toBeVisible()
    await page.goBack()
    await expect(sheet).toBeHidden()
    await expect(page).toHaveURL('/dashboard/customers')
    await open.click()
    await sheet.getByRole('link', { name: 'Invoices' }).click()
    await expect(page).toHaveURL('/dashboard/invoices')
    await expect(heading(page)).toBeFocused()
    expect(await entries(), 'only the new page has an entry').toBe(before + 1)
    await goBackTo(page, '/dashboard/customers')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

import type { Locator, Page } from '@playwright/test'
import { sessionOf } from './accounts'
import {
  checkAccessibility,
  checkLayout,
  confirmWithKeyboard,
  expect,
  expectNoOverflow,
  rowAction,
  sizes,
  tabTo,
  test,
} from './test'

const ADDRESS = '/dashboard/invoices'
/** Returns a name for the customer of an invoice that no other test uses. */
const customer = (story: string) => `${story} ${Date.now()}`

type Filled = { name: string; price: string; end?: string }

async function fill(form: Locator, { name, price, end = '2026-03-01' }: Filled) {
  await form.getByLabel('Customer').fill(name)
  await form.getByLabel('Website').fill('nordbil.example')
  await form.getByLabel('Email').fill('ada@nordbil.example')
  await form.getByLabel('Start Date').fill('2026-01-31')
  await form.getByLabel('End Date').fill(end)
  await form.getByLabel('Project Price').fill(price)
}

/** Creates an invoice through the app's form, and searches for it in the list. */
async function createInvoice(page: Page, filled: Filled) {
  await page.goto(ADDRESS)
  await page.getByRole('button', { name: 'Create New Invoice' }).click()
  const form = page.getByRole('dialog', { name: 'Create New Invoice' })
  await fill(form, filled)
  await form.getByRole('button', { name: 'Create invoice' }).click()
  await expect(page.getByText('Invoice created successfully')).toBeVisible()
  await page.goto(`${ADDRESS}?search=${encodeURIComponent(filled.name)}`)
  await expect(page.getByText('Showing 1 to 1 of 1 invoice')).toBeVisible()
}

async function deleteInvoice(page: Page, name: string) {
  await (await rowAction(page, name, `Delete invoice for ${name}`)).click()
  const dialog = page.getByRole('dialog', { name: 'Delete invoice' })
  await expect(dialog.getByText('Are you sure you want to delete this invoice?')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete invoice' }).click()
  await expect(page.getByText('Invoice deleted successfully')).toBeVisible()
}

for (const viewport of sizes) {
  test.describe(`an administrator on ${viewport.width} px`, () => {
    test.use({ storageState: sessionOf('admin'), viewport })

    test('creates, opens, changes and deletes an invoice', async ({ page }) => {
      test.setTimeout(120_000)
      const name = customer('Whole')
      await page.goto(ADDRESS)
      await expect(page.getByRole('heading', { level: 1, name: 'Invoices Management' })).toBeVisible()
      await expect(page.getByText(/^Showing 1 to 15 of /)).toBeVisible()
      await checkLayout(page)
      await page.getByRole('button', { name: 'Create New Invoice' }).click()
      const form = page.getByRole('dialog', { name: 'Create New Invoice' })
      await form.getByRole('button', { name: 'Create invoice' }).click()
      await expect(page.getByText('Validation Error').first()).toBeVisible()
      await expect(form.getByText('Please enter a valid project price')).toBeVisible()
      await checkLayout(page)
      await fill(form, { name, price: '1234567.89' })
      await form.getByRole('button', { name: 'Create invoice' }).click()
      await expect(page.getByText('Invoice created successfully')).toBeVisible()

      await page.goto(`${ADDRESS}?search=${encodeURIComponent(name)}`)
      await expect(page.getByText('£1,234,567.89')).toBeVisible()
      await expectNoOverflow(page)
      await (await rowAction(page, name, `View invoice for ${name}`)).click()
      const details = page.getByRole('dialog', { name: 'Invoice Details' })
      await expect(details.getByText('Invoice Overview')).toBeVisible()
      await expect(details.getByRole('link', { name: 'nordbil.example', exact: true })).toHaveAttribute(
        'href',
        'https://nordbil.example',
      )
      await checkLayout(page)
      // The details have a URL of their own, so they are still open after a reload.
      await page.reload()
      await expect(details.getByText('31 Jan 2026')).toBeVisible()
      await page.goBack()
      await expect(details).toHaveCount(0)

      await (await rowAction(page, name, `Edit invoice for ${name}`)).click()
      const edit = page.getByRole('dialog', { name: 'Edit Invoice' })
      await edit.getByLabel('Project Price').fill('19.999')
      await edit.getByRole('button', { name: 'Save changes' }).click()
      await expect(edit.getByText('Please enter a valid project price')).toBeVisible()
      await edit.getByLabel('Project Price').fill('0.01')
      await edit.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('Invoice updated successfully')).toBeVisible()
      await expect(page.getByText('£0.01')).toBeVisible()
      await deleteInvoice(page, name)
      await expect(page.getByRole('heading', { name: 'No invoices found.' })).toBeVisible()
      await checkAccessibility(page)
    })
  })
}

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 1440, height: 900 } })

  test('manages invoices by keyboard only', async ({ page }) => {
    const name = customer('Keys')
    await page.goto(ADDRESS)
    await tabTo(page, page.getByRole('button', { name: 'Create New Invoice' }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Customer' })).toBeVisible()
    await tabTo(page, page.getByRole('combobox', { name: 'Customer' }))
    for (const text of [name, 'nordbil.example', 'ada@nordbil.example', 'Two estate cars']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    // A date whose digits are the same in either order of day and month.
    await page.keyboard.type('01012026')
    await tabTo(page, page.getByLabel('End Date'))
    await page.keyboard.type('02022026')
    await tabTo(page, page.getByLabel('Project Price'))
    await page.keyboard.type('0.1')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Invoice created successfully')).toBeVisible()

    await page.keyboard.press('/')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Showing 1 to 1 of 1 invoice')).toBeVisible()
    const view = page.getByRole('link', { name: `View invoice for ${name}` })
    await tabTo(page, view)
    await page.keyboard.press('Enter')
    const details = page.getByRole('dialog', { name: 'Invoice Details' })
    await expect(details.getByText('£0.10')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(details).toHaveCount(0)
    await expect(view).toBeFocused()
    await tabTo(page, page.getByRole('button', { name: `Delete invoice for ${name}` }))
    await page.keyboard.press('Enter')
    await confirmWithKeyboard(page.getByRole('dialog'))
    await expect(page.getByText('Invoice deleted successfully')).toBeVisible()
  })

  test.describe('west of Greenwich', () => {
    test.use({ timezoneId: 'America/Los_Angeles' })

    test('sees the dates as they were typed', async ({ page }) => {
      const name = customer('West')
      await createInvoice(page, { name, price: '100' })
      const row = page.getByRole('row', { name })
      await expect(row.getByRole('cell', { name: '31 Jan 2026' })).toBeVisible()
      await expect(row.getByRole('cell', { name: '1 Mar 2026' })).toBeVisible()
      await page.getByRole('button', { name: `Edit invoice for ${name}` }).click()
      await expect(page.getByLabel('Start Date')).toHaveValue('2026-01-31')
      await page.keyboard.press('Escape')
      await deleteInvoice(page, name)
    })
  })

  for (const viewport of sizes) {
    test.describe(`with a second window, on ${viewport.width} px`, () => {
      test.use({ expectedStatuses: [409], viewport })

      test("sees the other window's changes, and neither loses input", async ({ page, browser, baseURL }) => {
        test.setTimeout(90_000)
        const name = customer('Twice')
        await createInvoice(page, { name, price: '100' })
        const context = await browser.newContext({ baseURL, storageState: sessionOf('admin') })
        const colleague = await context.newPage()
        await colleague.goto(`${ADDRESS}?search=${encodeURIComponent(name)}`)
        for (const each of [page, colleague]) {
          await (await rowAction(each, name, `Edit invoice for ${name}`)).click()
        }
        await colleague.getByLabel('Project Price').fill('200.50')
        await colleague.getByLabel('End Date').fill('2026-04-01')
        await colleague.getByLabel('Requirements').fill('Winter tyres')
        await colleague.getByRole('button', { name: 'Save changes' }).click()
        await expect(colleague.getByText('Invoice updated successfully')).toBeVisible()

        await page.getByLabel('Project Price').fill('150')
        await page.getByLabel('Website').fill('other.example')
        await page.getByRole('button', { name: 'Save changes' }).click()
        const report = page.getByRole('region', { name: / changed this at / })
        await expect(report).toBeFocused()
        await expect(report).toBeInViewport()
        await expect(page.getByLabel('Website')).toHaveValue('other.example')
        await expect(page.getByLabel('End Date')).toHaveValue('2026-04-01')
        await expect(report).toContainText('Winter tyres')
        await checkLayout(page)
        await page.keyboard.press('Tab')
        await page.keyboard.press('ArrowDown')
        await expect(page.getByLabel('Project Price')).toHaveValue('200.50')
        await page.getByRole('button', { name: 'Save changes' }).click()
        await expect(page.getByText('Invoice updated successfully')).toBeVisible()
        await (await rowAction(page, name, `View invoice for ${name}`)).click()
        const details = page.getByRole('dialog', { name: 'Invoice Details' })
        await expect(details).toContainText(/other\.example.*Winter tyres.*1 Apr 2026.*£200\.50/)
        await page.goBack()
        await deleteInvoice(page, name)
        await context.close()
      })
    })
  }
})

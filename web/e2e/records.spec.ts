import type { Page } from '@playwright/test'
import { NUMBERS } from '../disclosures'
import { sessionOf } from './accounts'
import { create } from './api'
import { checkAccessibility, checkLayout, expect, pageAction, sizes, tabTo, test } from './test'

const [NUMBER = ''] = NUMBERS

type Customer = { customer_id: string; customerNumber: string; name: string; email: string }

/** Creates customers whose names begin with a new, unique word. Returns the word and the customers. */
async function createCustomers(page: Page, count: number): Promise<[word: string, customers: Customer[]]> {
  const word = `Quay${crypto.randomUUID().slice(0, 8)}`
  await page.goto('/dashboard/profile')
  const customers: Customer[] = []
  for (let index = 1; index <= count; index += 1) {
    customers.push(
      await create<Customer>(page, '/api/customers', {
        name: `${word} ${index}`,
        email: `${word.toLowerCase()}.${index}@mail.example`,
        telephone: '+46 70 123 45 67',
        address: 'Storgatan 1',
        type: 'Private',
        socialSecurityNumber: NUMBER,
      }),
    )
  }
  return [word, customers]
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

for (const viewport of sizes) {
  test.describe(`an administrator on ${viewport.width} px`, () => {
    test.use({ storageState: sessionOf('admin'), viewport })

    test('links an invoice to a customer and follows the link both ways', async ({ page }) => {
      test.setTimeout(300_000)
      const [word, customers] = await createCustomers(page, 2)
      const [first, second] = customers as [Customer, Customer]
      await page.goto('/dashboard/invoices')
      await page.getByRole('button', { name: 'Create New Invoice' }).click()
      const form = page.getByRole('dialog', { name: 'Create New Invoice' })
      await form.getByLabel('Customer').fill(word)
      await expect(page.getByRole('option')).toHaveCount(2)
      await checkLayout(page)
      await page.getByRole('option', { name: first.customerNumber }).click()
      await expect(form.getByText(`Linked to customer ${first.customerNumber}`)).toBeVisible()
      await expect(form.getByLabel('Email')).toHaveValue(first.email)
      await form.getByLabel('Website').fill('quay.example')
      await form.getByLabel('Start Date').fill('2026-01-31')
      await form.getByLabel('End Date').fill('2026-03-01')
      await form.getByLabel('Project Price').fill('1250')
      await form.getByRole('button', { name: 'Create invoice' }).click()
      await expect(page.getByText('Invoice created successfully')).toBeVisible()

      await page.goto(`/dashboard/invoices?search=${word}`)
      await page.getByRole('link', { name: first.name, exact: true }).click()
      await expect(heading(page, first.name)).toBeFocused()
      await expect(page.getByText(first.customerNumber)).toBeVisible()
      await checkLayout(page)
      await page.getByRole('main').getByRole('link', { name: first.name, exact: true }).click()
      await expect(heading(page, first.name)).toBeFocused()
      await expect(page).toHaveURL(new RegExp(`/dashboard/customers/${first.customer_id}$`))
      await expect(page.getByText('1 invoice', { exact: true })).toBeVisible()
      await expect(page.getByText(NUMBER)).toBeVisible()
      await checkLayout(page)
      await page.reload()
      await expect(page.getByText('£1,250.00')).toBeVisible()

      // The links to the previous and next record follow the order of the list from which the page was opened.
      await page.goto(`/dashboard/customers?search=${word}&sort=name`)
      await page.getByRole('link', { name: first.name, exact: true }).click()
      await page.getByRole('link', { name: 'Next record' }).click()
      await expect(heading(page, second.name)).toBeFocused()
      await expect(page.getByRole('link', { name: 'Next record' })).toHaveCount(0)
      await page.goBack()
      await expect(page).toHaveURL(new RegExp(`search=${word}&sort=name$`))

      // Deleting the customer doesn't delete the linked invoice.
      await page.getByRole('link', { name: first.name, exact: true }).click()
      await expect(heading(page, first.name)).toBeFocused()
      await (await pageAction(page, 'Delete')).click()
      await page.getByRole('button', { name: 'Delete customer' }).click()
      await expect(page.getByText('Customer deleted successfully')).toBeVisible()
      await page.goto(`/dashboard/invoices?search=${word}`)
      await page.getByRole('link', { name: first.name, exact: true }).click()
      await expect(page.getByText(/This invoice is not linked to a customer/)).toBeVisible()
    })
  })
}

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 1440, height: 900 } })

  test('chooses the customer of an invoice by keyboard in dark mode', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    const [word, [customer]] = await createCustomers(page, 1)
    await page.goto('/dashboard/invoices')
    await tabTo(page, page.getByRole('button', { name: 'Create New Invoice' }))
    await page.keyboard.press('Enter')
    const input = page.getByRole('combobox', { name: 'Customer' })
    await tabTo(page, input)
    await page.keyboard.type(word.toLowerCase())
    await expect(page.getByRole('option')).toHaveCount(1)
    await checkAccessibility(page)
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option')).toHaveAttribute('data-highlighted')
    await page.keyboard.press('Enter')
    await expect(input).toHaveValue(customer?.name ?? '')
    await expect(page.getByLabel('Email')).toHaveValue(customer?.email ?? '')
    // Changing the text removes the link to the customer.
    await page.keyboard.type(' AB')
    await page.keyboard.press('Escape')
    await expect(page.getByText('Choose a customer, or type any name.')).toBeVisible()
    await expect(page.getByRole('dialog', { name: 'Create New Invoice' })).toBeVisible()
  })

  test('goes through a list of records by keyboard', async ({ page }) => {
    const [word, customers] = await createCustomers(page, 3)
    const [first, second, third] = customers as [Customer, Customer, Customer]
    await page.goto(`/dashboard/customers?search=${word}&sort=name`)
    const link = page.getByRole('link', { name: first.name, exact: true })
    await tabTo(page, link)
    await page.keyboard.press('Enter')
    await expect(heading(page, first.name)).toBeFocused()
    for (const [key, name] of [
      ['j', second.name],
      ['j', third.name],
      ['k', second.name],
    ] as const) {
      await expect(page.getByRole('navigation', { name: 'Records of the list' })).toBeVisible()
      await page.keyboard.press(key)
      await expect(heading(page, name)).toBeFocused()
    }
  })
})

import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { create, createCompany } from './api'
import { checkLayout, expect, sizes, tabTo, test, uniqueLetters } from './test'

type Made = { vehicle_id: string; name: string }

const createVehicle = (page: Page, more: object) =>
  create<Made>(page, '/api/vehicles', {
    registration_number: `Q${uniqueLetters().toUpperCase()}`,
    make: 'Volvo',
    model: 'V60',
    asking_price: '289900',
    ...more,
  })

/** Types into a field with suggestions, and chooses the only one. */
async function choose(page: Page, label: string, text: string) {
  await page.getByRole('combobox', { name: label, exact: true }).fill(text)
  await page.getByRole('option', { name: text }).click()
}

for (const viewport of sizes) {
  test.describe(`an administrator on ${viewport.width} px`, () => {
    test.use({ storageState: sessionOf('admin'), viewport, expectedStatuses: [400, 409] })

    test('sells a vehicle with a part-exchange, from draft to delivery', async ({ page }) => {
      test.setTimeout(300_000)
      await page.goto('/dashboard/profile')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const name = `Bil ${uniqueLetters().toUpperCase()} AB`
      const customer = await createCompany(page, name)
      const sold = await createVehicle(page, { purchase_price: '238000' })
      const taken = await createVehicle(page, { model: 'Golf', status: 'Expected', asking_price: '' })

      await page.goto('/dashboard/agreements')
      await page.getByRole('button', { name: 'New agreement' }).first().click()
      const form = page.getByRole('dialog', { name: 'New agreement' })
      await form.getByRole('button', { name: 'Create agreement' }).click()
      const heading = page.getByRole('heading', { level: 1 })
      await expect(page.getByText('Agreement created')).toBeVisible()
      await expect(heading).toHaveText(/^SA-\d+$/)
      const number = (await heading.textContent()) ?? ''

      // A draft says what an offer lacks.
      const step = (label: string) => page.getByRole('button', { name: label, exact: true })
      await expect(page.getByText('Choose a customer first.')).toBeVisible()
      await expect(step('Mark as offered')).toHaveAttribute('aria-disabled', 'true')
      await checkLayout(page)
      await page.getByRole('button', { name: 'Edit agreement' }).click()
      const editor = page.getByRole('dialog', { name: 'Edit agreement' })
      await choose(page, 'Customer', name)
      await choose(page, 'Add vehicle', sold.name)
      await choose(page, 'Add part-exchange', taken.name)
      await editor.getByRole('group', { name: taken.name, exact: true }).getByLabel('Price').fill('94000')
      await editor.getByLabel('Deposit').fill('10000')
      await expect(editor.getByText(/To pay SEK\s185,900.00/)).toBeVisible()
      await checkLayout(page)
      await editor.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('Agreement updated')).toBeVisible()
      await expect(heading).toHaveText(`${number} ${name}`)
      await expect(page.getByText('To pay at delivery')).toBeVisible()
      const margin = page.getByText('Margin of this agreement').last().locator('..')
      if (viewport.width < 768) {
        await expect(margin).toBeHidden()
        await page.getByText('Margin of this agreement').first().click()
      }
      await expect(margin).toBeVisible()
      await expect(margin).toHaveText(/SEK\s41,520.00$/)
      await checkLayout(page)

      await step('Mark as offered').click()
      await expect(page.getByText('Agreement offered')).toBeVisible()
      await step('Mark as signed').click()
      const signing = page.getByRole('dialog', { name: 'Mark as signed' })
      await expect(signing.getByText(`${sold.name} becomes Reserved.`)).toBeVisible()
      await checkLayout(page)
      await signing.getByRole('button', { name: 'Mark as signed' }).click()
      await expect(page.getByText('Agreement signed')).toBeVisible()

      // Nobody else can sign for the same vehicle.
      const other = await create<{ agreement_id: string }>(page, '/api/agreements', {
        customer_id: customer,
        legs: [{ vehicle_id: sold.vehicle_id, price: '1' }],
      })
      const address = page.url()
      await page.goto(`/dashboard/agreements/${other.agreement_id}`)
      await step('Mark as offered').click()
      await expect(page.getByText(`${sold.name} is in the signed agreement ${number}.`)).toBeVisible()
      await expect(step('Mark as signed')).toHaveAttribute('aria-disabled', 'true')
      await checkLayout(page)
      await step('Cancel…').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel agreement' }).click()
      await expect(page.getByText('This agreement was cancelled.')).toBeVisible()

      await page.goto(address)
      await step('Mark as delivered').click()
      const delivery = page.getByRole('dialog', { name: 'Mark as delivered' })
      await expect(delivery.getByText(`${sold.name} becomes Sold.`)).toBeVisible()
      await expect(delivery.getByText(`${taken.name} becomes In stock.`)).toBeVisible()
      await delivery.getByRole('button', { name: 'Mark as delivered' }).click()
      await expect(page.getByText('Agreement delivered')).toBeVisible()
      await expect(step('Close agreement')).toBeVisible()
      await checkLayout(page)

      // The vehicle is sold, and the customer has the figures that follow.
      await page.getByRole('link', { name: sold.name }).click()
      await expect(page.getByRole('heading', { level: 1, name: sold.name })).toBeVisible()
      await expect(page.getByText(/^S-\d+ · Sold/)).toBeVisible()
      await expect(page.getByRole('region', { name: 'Agreements' }).getByText(number)).toBeVisible()
      await checkLayout(page)
      await page.goto(`/dashboard/customers/${customer}`)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(page.getByRole('region', { name: 'Agreements' }).getByText(number)).toBeVisible()
      const facts = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Details', exact: true }) })
      await expect(facts.getByText('Sales', { exact: true })).toBeVisible()
      await checkLayout(page)
    })
  })
}

test.describe('by keyboard', () => {
  test.use({ storageState: sessionOf('admin') })

  test('a vehicle begins an agreement, whose form is filled without a pointer', async ({ page }) => {
    test.setTimeout(120_000)
    const press = (key: string) => page.keyboard.press(key)
    await page.goto('/dashboard/profile')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const name = `Bil ${uniqueLetters().toUpperCase()} AB`
    await createCompany(page, name)
    const sold = await createVehicle(page, {})
    await page.goto(`/dashboard/vehicles/${sold.vehicle_id}`)
    await tabTo(page, page.getByRole('button', { name: 'New agreement' }))
    await press('Enter')
    const form = page.getByRole('dialog', { name: 'New agreement' })
    await expect(form.getByRole('group', { name: sold.name, exact: true }).getByLabel('Price')).toHaveValue(
      '289900',
    )
    await tabTo(page, form.getByRole('combobox', { name: 'Customer' }))
    await page.keyboard.type(name)
    await expect(form.getByRole('option', { name })).toBeVisible()
    await press('ArrowDown')
    await press('Enter')
    await tabTo(page, form.getByLabel('Deposit'))
    await page.keyboard.type('10000')
    await press('Enter')
    const heading = page.getByRole('heading', { level: 1, name: new RegExp(`^SA-\\d+ ${name}$`) })
    await expect(heading).toBeFocused()
    const step = async (name: string) => {
      const button = page.getByRole('button', { name })
      await tabTo(page, button)
      await expect(button).not.toHaveAttribute('aria-disabled')
      await press('Enter')
    }
    await step('Mark as offered')
    await expect(page.getByText('Agreement offered')).toBeVisible()
    await step('Mark as signed')
    await expect(page.getByRole('dialog').getByLabel('Agreed on')).toBeFocused()
    await press('Enter')
    await expect(page.getByText('Agreement signed')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Mark as delivered' })).toBeFocused()
  })
})

test.describe('a clerk without costs', () => {
  test.use({ storageState: sessionOf('clerk') })

  test('sees agreements without margins, minimum prices and prices that come in', async ({ page }) => {
    await page.goto(
      `/dashboard/agreements?${new URLSearchParams({ filter: '[{"field":"type","op":"is","value":"Purchase"}]' })}`,
    )
    await expect(page.getByRole('heading', { level: 1, name: 'Agreements' })).toBeVisible()
    await page.getByRole('link', { name: /^PA-/ }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: /^PA-/ })).toBeVisible()
    await expect(page.getByText('Hidden').first()).toBeVisible()
    await expect(
      page.getByText('Only roles with Costs and margins can see the prices of vehicles taken in.'),
    ).toBeVisible()
    await expect(page.getByText('Margin of this agreement')).toHaveCount(0)
    await expect(page.getByText('Minimum price')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Mark as|^Cancel/ })).toHaveCount(0)
    await checkLayout(page)
  })
})

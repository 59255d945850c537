import type { Page } from '@playwright/test'
import { NUMBERS } from '../disclosures'
import { sessionOf } from './accounts'
import { create } from './api'
import { checkAccessibility, checkLayout, confirmWithKeyboard, expect, tabTo, test } from './test'

const [NUMBER = ''] = NUMBERS

type NewCustomer = { name: string; [field: string]: string }

/**
 * Creates customers through the API, with a new, unique word in their addresses. Returns the word, to search for it.
 */
async function createCustomers(page: Page, made: NewCustomer[]): Promise<string> {
  const word = `quay${crypto.randomUUID().slice(0, 8)}`
  await page.goto('/dashboard/profile')
  for (const [index, customer] of made.entries()) {
    await create(page, '/api/customers', {
      email: `c${index}@mail.example`,
      telephone: `+46 70 ${100 + index}`,
      address: `${word} ${index}`,
      type: 'Private',
      socialSecurityNumber: NUMBER,
      status: 'Active',
      ...customer,
    })
  }
  return word
}

const people = (count: number): NewCustomer[] =>
  Array.from({ length: count }, (_, index) => ({ name: `Maja Holm ${index + 1}` }))

const showing = (page: Page, text: string) =>
  page.getByText(`Showing ${text} ${text.endsWith(' of 1') ? 'item' : 'items'}`, { exact: true })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search by Name, Email, or Address' })
const opener = (page: Page, name: string) =>
  page.getByRole('button', { name: `Details of ${name}`, exact: true })

test.describe('a user who manages customers', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 1440, height: 900 } })

  test('adds, finds, changes and deletes a customer', async ({ page }) => {
    test.setTimeout(300_000)
    const word = `Holm${crypto.randomUUID().slice(0, 8)}`
    await page.goto('/dashboard/customers')
    await expect(page).toHaveTitle('Customers · Forecourt')
    await expect(page.getByText('Total purchasing customers')).toBeVisible()
    await page.getByRole('button', { name: 'New Customer' }).click()
    const form = page.getByRole('dialog', { name: 'Add New Customer' })
    await form.getByRole('button', { name: 'Create customer' }).click()
    await expect(form.getByText('Social security number is required.')).toBeVisible()
    await expect(page.getByText('Please fill in all required fields correctly')).toBeVisible()
    await checkAccessibility(page)
    await form.getByLabel('Name', { exact: true }).fill(`Maja ${word}`)
    await form.getByLabel('Email').fill('maja@mail.example')
    await form.getByLabel('Telephone').fill('+46 70 123 45 67')
    await form.getByLabel('Address').fill('Storgatan 1')
    await form.getByRole('combobox', { name: 'Customer Type' }).click()
    await page.getByRole('option', { name: 'Company' }).click()
    await form.getByLabel('Organization Number').fill('559360-9844')
    await form.getByRole('combobox', { name: 'Agreement' }).click()
    await page.getByRole('option', { name: 'Purchase' }).click()
    await form.getByLabel('Latest purchase').fill('2026-02-19')
    await form.getByRole('button', { name: 'Create customer' }).click()
    await expect(page.getByText('Customer created successfully')).toBeVisible()

    await page.keyboard.press('/')
    await page.keyboard.type(word.toUpperCase())
    await expect(showing(page, '1 to 1 of 1')).toBeVisible()
    await expect(page).toHaveURL(`/dashboard/customers?search=${word.toUpperCase()}`)
    const row = page.getByRole('row', {
      name: new RegExp(`Maja ${word} maja@mail.example Storgatan 1 .* 19 Feb 2026 Purchase`),
    })
    await expect(row).toBeVisible()
    await row.getByText('Storgatan 1').click({ force: true })
    await expect(page.getByText('Organization Number')).toBeVisible()
    await expect(page.getByText('559360-9844')).toBeVisible()
    await checkAccessibility(page)

    await page.getByRole('button', { name: 'Edit Customer' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Customer' })
    await edit.getByRole('combobox', { name: 'Customer Type' }).click()
    await page.getByRole('option', { name: 'Private person' }).click()
    await edit.getByLabel('Social Security Number').fill(NUMBER)
    await edit.getByLabel('Location').fill('Malmö')
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Customer updated successfully')).toBeVisible()
    await expect(page.getByText(NUMBER)).toBeVisible()
    await expect(page.getByText('Malmö')).toBeVisible()

    await page.getByRole('button', { name: `Delete Maja ${word}` }).click()
    const question = page.getByRole('dialog', { name: 'Delete customer' })
    await expect(question).toContainText(`Maja ${word}`)
    await checkAccessibility(page)
    await question.getByRole('button', { name: 'Delete customer' }).click()
    await expect(page.getByText('Customer deleted successfully')).toBeVisible()
    await expect(page.getByText('No customers found.')).toBeVisible()
    await checkAccessibility(page)
  })

  test('Back and reload restore page, search and filter', async ({ page }) => {
    test.setTimeout(300_000)
    const word = await createCustomers(page, [
      ...people(17).map(one => ({ ...one, latestPurchase: '2024-05-05' })),
      { name: 'Bil AB', type: 'Company', socialSecurityNumber: '', organizationNumber: '1' },
    ])
    await page.goto(`/dashboard/customers?search=${word}`)
    await expect(showing(page, '1 to 15 of 18')).toBeVisible()
    await page.getByRole('button', { name: /^Filter/ }).click()
    const panel = page.getByRole('dialog', { name: 'Filter Customers' })
    await panel.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Private person' }).click()
    await panel.getByLabel('From').fill('2024-05-05')
    await panel.getByLabel('To', { exact: true }).fill('2024-05-04')
    await panel.getByRole('button', { name: 'Apply Filter' }).click()
    await expect(panel.getByText('The From date must not be after the To date.')).toBeVisible()
    await checkAccessibility(page)
    // The customers of the first and of the last day are included.
    await panel.getByLabel('To', { exact: true }).fill('2024-05-05')
    await panel.getByRole('button', { name: 'Apply Filter' }).click()
    await expect(showing(page, '1 to 15 of 17')).toBeVisible()
    await page.getByRole('link', { name: 'Next page' }).click()
    await expect(showing(page, '16 to 17 of 17')).toBeVisible()
    const address = `/dashboard/customers?page=2&search=${word}&type=Private&from=2024-05-05&to=2024-05-05`
    await expect(page).toHaveURL(address)

    await page.reload()
    await expect(showing(page, '16 to 17 of 17')).toBeVisible()
    await expect(search(page)).toHaveValue(word)
    const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('link')
    await expect(chips).toHaveCount(3)
    await checkAccessibility(page)
    await page.goto('/dashboard/profile')
    await page.goBack()
    await expect(showing(page, '16 to 17 of 17')).toBeVisible()
    await page.goBack()
    await expect(showing(page, '1 to 15 of 17')).toBeVisible()
    await page.goBack()
    await expect(showing(page, '1 to 15 of 18')).toBeVisible()
    await expect(chips).toHaveCount(0)
    await page.goForward()
    await page.getByRole('link', { name: 'Type: Private person' }).click()
    await expect(chips).toHaveCount(2)
    await expect(page.getByRole('button', { name: /^Filter/ })).toBeFocused()
  })

  test('manages customers by keyboard only', async ({ page }) => {
    test.setTimeout(300_000)
    const word = await createCustomers(page, people(2))
    await page.goto('/dashboard/customers')
    await expect(page.getByRole('button', { name: 'New Customer' })).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type(word)
    await expect(showing(page, '1 to 2 of 2')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Clear search' })).toBeFocused()
    await page.keyboard.press('Tab')
    const filter = page.getByRole('button', { name: /^Filter/ })
    await expect(filter).toBeFocused()

    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Filter Customers' })
    await expect(panel).toBeVisible()
    // Tab never moves the focus out of the panel.
    for (let key = 0; key < 20; key += 1) {
      await page.keyboard.press('Tab')
      // Polled, because at the end of the panel a focus guard has the focus for a moment, before its first control gets
      // it.
      await expect.poll(() => panel.evaluate(one => one.contains(document.activeElement))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(filter).toBeFocused()

    // Tab passes the other tools of the list and the column headers.
    const first = page.locator('[aria-label="Customers"] tbody button[aria-expanded]').first()
    await tabTo(page, first, 20)
    await page.keyboard.press('Enter')
    await expect(first).toHaveAttribute('aria-expanded', 'true')
    await expect(first).toBeFocused()
    await page.keyboard.press('Space')
    await expect(first).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('Enter')

    // Tab passes the row's Edit and Delete buttons, its e-mail and its telephone number.
    const edit = page.getByRole('button', { name: 'Edit Customer' })
    await tabTo(page, edit, 10)
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Edit Customer' })
    await expect(form.locator(':focus')).toHaveCount(1)
    const name = form.getByLabel('Name', { exact: true })
    await name.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Maja Ek')
    await page.keyboard.press('Escape')
    await expect(page.getByText('Discard your changes?')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(name).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Customer updated successfully')).toBeVisible()
    await expect(form).toHaveCount(0)
    await expect(edit).toBeFocused()
    await expect(opener(page, 'Maja Ek')).toHaveAttribute('aria-expanded', 'true')

    await page.getByRole('button', { name: 'Delete Maja Ek' }).focus()
    await page.keyboard.press('Enter')
    await confirmWithKeyboard(page.getByRole('dialog', { name: 'Delete customer' }))
    await expect(page.getByText('Customer deleted successfully')).toBeVisible()
    await expect(showing(page, '1 to 1 of 1')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Delete Maja Holm/ })).toBeFocused()
  })

  test('editing a customer keeps the social security number', async ({ page }) => {
    const word = await createCustomers(page, people(1))
    const answers: string[] = []
    // Records the responses here, because after a reload Playwright can't read the bodies of earlier responses.
    await page.route(/\/api\/customers(\?|$)/, async route => {
      const response = await route.fetch()
      answers.push(await response.text())
      await route.fulfill({ response })
    })
    await page.goto(`/dashboard/customers?search=${word}`)
    await opener(page, 'Maja Holm 1').click()
    await expect(page.getByText(NUMBER)).toBeVisible()
    await page.getByRole('button', { name: 'Edit Customer' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Customer' })
    await expect(form.getByLabel('Social Security Number')).toHaveValue(NUMBER)
    await checkAccessibility(page)
    await form.getByLabel('Location').fill('Malmö')
    const sending = page.waitForRequest(request => request.method() === 'PUT')
    await form.getByRole('button', { name: 'Save changes' }).click()
    expect((await sending).postData()).not.toContain('4471')
    await expect(page.getByText('Customer updated successfully')).toBeVisible()

    await page.reload()
    await opener(page, 'Maja Holm 1').click()
    await expect(page.getByText('Malmö')).toBeVisible()
    await expect(page.getByText(NUMBER)).toBeVisible()
    // Makes the palette request the customer, because its response must not contain the number either (disclosures.ts).
    await page.keyboard.press('ControlOrMeta+K')
    const palette = page.getByRole('dialog', { name: 'Find anything' })
    await palette.getByRole('combobox').fill(word)
    await expect(palette.getByRole('option', { name: 'Maja Holm 1' })).toBeVisible()
    expect(answers.length).toBeGreaterThan(1)
    expect(answers.join()).not.toContain('4471')
  })

  test.describe('with a second tab', () => {
    test.use({ expectedStatuses: [409] })

    test("sees the other tab's changes and loses no input", async ({ page, context }) => {
      const word = await createCustomers(page, people(1))
      const other = await context.newPage()
      for (const each of [page, other]) {
        await each.goto(`/dashboard/customers?search=${word}`)
        await each.getByRole('button', { name: 'Edit Maja Holm 1' }).click()
      }
      await other.getByLabel('Name', { exact: true }).fill('Maja Ek')
      await other.getByLabel('Telephone').fill('08')
      await other.getByRole('button', { name: 'Save changes' }).click()
      await expect(other.getByText('Customer updated successfully')).toBeVisible()

      const form = page.getByRole('dialog', { name: 'Edit Customer' })
      await form.getByLabel('Name', { exact: true }).fill('Maja Lund')
      await form.getByLabel('Location').fill('Ystad')
      await form.getByRole('button', { name: 'Save changes' }).click()
      await expect(form.getByRole('region', { name: / changed this at / })).toBeVisible()
      await expect(form.getByLabel('Telephone')).toHaveValue('08')
      await expect(form.getByLabel('Location')).toHaveValue('Ystad')
      await checkAccessibility(page)
      await form.getByRole('radio', { name: /Theirs/ }).click()
      await form.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('Customer updated successfully')).toBeVisible()
      await opener(page, 'Maja Ek').click()
      await expect(page.getByText('Ystad')).toBeVisible()
    })
  })

  for (const width of [360, 768]) {
    test(`customers are accessible and fit ${width} pixels`, async ({ page }) => {
      test.setTimeout(300_000)
      const name = `Freja af Klintberg-Wachtmeister von Sydow und zu der Langen Brücke ${width}-${Date.now()}`
      const word = await createCustomers(page, [
        ...people(31),
        { name, email: `${'lang.'.repeat(9)}lang@mail.example` },
      ])
      await page.setViewportSize({ width, height: 740 })
      await page.goto(`/dashboard/customers?search=${word}&page=2`)
      await expect(page.getByRole('list', { name: 'Customers' })).toBeVisible()
      await checkLayout(page)
      await search(page).fill(name)
      await page.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await checkLayout(page)
      await page.goBack()

      await page.getByRole('button', { name: 'Filter and sort' }).click()
      await page.getByRole('button', { name: 'Type and date…' }).click()
      const panel = page.getByRole('dialog', { name: 'Filter Customers' })
      await expect(panel.getByText('Filter Customers')).toBeInViewport()
      await expect(panel.getByRole('button', { name: 'Apply Filter' })).toBeInViewport()
      const box = () => panel.boundingBox()
      await expect.poll(async () => Math.round((await box())?.width ?? 0)).toBe(width === 360 ? 360 : 384)
      await expect
        .poll(async () => Math.round(((await box())?.x ?? 0) + ((await box())?.width ?? 0)))
        .toBe(width)
      await checkLayout(page)
      await panel.getByRole('button', { name: 'Close panel' }).click()

      await page.getByRole('button', { name: 'New Customer' }).click()
      await page.getByRole('button', { name: 'Create customer' }).click()
      await expect(page.getByText('Name is required.')).toBeVisible()
      await checkLayout(page)
    })
  }
})

test.describe('a clerk', () => {
  test.use({ storageState: sessionOf('clerk') })

  test('reads customers and sees no forbidden actions', async ({ page }) => {
    await page.goto('/dashboard/customers')
    await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()
    await expect(page.getByText('Total brokerage clients')).toBeVisible()
    await expect(page.getByText(/^Showing \d+ to|^No customers found\.$/)).toBeVisible()
    await expect(
      page.getByRole('button', { name: /^(New Customer|Edit|Delete|Add(?! filter))\b/ }),
    ).toHaveCount(0)
    await checkAccessibility(page)
  })
})

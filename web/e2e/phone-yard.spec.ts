import type { Locator, Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { create, createCompany, createSignedAgreement } from './api'
import { checkLayout, expect, test, uniqueLetters } from './test'

// What someone in the yard does on a phone, each with few taps and without scrolling to find a button.

test.use({
  storageState: sessionOf('admin'),
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
})

/** Taps only what a thumb finds: controls of at least 48 px, in view and uncovered. Counts the taps. */
class Thumb {
  taps = 0
  async tap(target: Locator) {
    await expect(target).toBeVisible()
    const reach = () =>
      target.evaluate(element => {
        const { x, y, width, height } = element.getBoundingClientRect()
        const hit = document.elementFromPoint(x + width / 2, y + height / 2)
        return { isOnTop: element.contains(hit), size: Math.min(width, height) }
      })
    await expect.poll(async () => (await reach()).isOnTop, `${target} is in view`).toBe(true)
    // Polled, because a menu grows while it opens.
    await expect.poll(async () => (await reach()).size, `size of ${target}`).toBeGreaterThanOrEqual(48)
    await target.tap()
    this.taps++
  }
  /** Taps a text field, and types into it. */
  async type(field: Locator, text: string) {
    await this.tap(field)
    await expect(field).toBeFocused()
    await field.page().keyboard.type(text)
  }
}

const tabBar = (page: Page) => page.getByRole('navigation', { name: 'Tabs' })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

async function check(page: Page) {
  await checkLayout(page)
}

test('finds a customer and calls with three taps', async ({ page }) => {
  await page.goto('/dashboard')
  const name = `Maja ${uniqueLetters()}`
  await createCompany(page, name)
  const thumb = new Thumb()
  await thumb.tap(tabBar(page).getByRole('link', { name: 'Customers' }))
  await thumb.type(page.getByRole('searchbox'), name)
  const list = page.getByRole('list', { name: 'Customers' })
  const row = list.getByRole('listitem')
  await expect(row).toHaveCount(1)
  const call = row.getByRole('link', { name: `Call ${name}` })
  await expect(call).toHaveAttribute('href', 'tel:+4670100')
  const mail = row.getByRole('link', { name: `Email ${name}` })
  await expect(mail).toHaveAttribute('href', 'mailto:maja@mail.example')
  await thumb.tap(call)
  expect(thumb.taps).toBe(3)
  await check(page)

  // The row opens the customer, whose page calls and mails, too, without scrolling.
  await list.getByText('Storgatan 1').tap({ force: true })
  await expect(heading(page, name)).toBeVisible()
  await thumb.tap(page.getByRole('link', { name: `Call ${name}` }))
  await thumb.tap(page.getByRole('link', { name: `Email ${name}` }))
  await check(page)
})

test('adds a vehicle with a photo with six taps', async ({ page }) => {
  const plate = `Y${uniqueLetters()}`.toUpperCase()
  await page.goto('/dashboard')
  // A screenshot of the page serves as the photo.
  const buffer = await page.screenshot({ type: 'jpeg' })
  const thumb = new Thumb()
  await thumb.tap(tabBar(page).getByRole('button', { name: 'Create' }))
  await thumb.tap(page.getByRole('menuitem', { name: 'New vehicle' }))
  const form = page.getByRole('dialog', { name: 'New vehicle' })
  const number = form.getByLabel('Registration number')
  await expect(number).toHaveAttribute('autocapitalize', 'characters')
  await thumb.type(number, plate)
  await check(page)
  await thumb.tap(form.getByRole('button', { name: 'Create vehicle' }))
  await expect(page.getByText('Vehicle created')).toBeVisible()
  await thumb.tap(page.getByRole('listitem').filter({ hasText: plate }))
  await expect(heading(page, plate)).toBeVisible()
  const camera = page.waitForEvent('filechooser')
  await thumb.tap(page.getByRole('button', { name: 'Take photo' }))
  await (await camera).setFiles({ name: 'yard.jpg', mimeType: 'image/jpeg', buffer })
  await expect(page.getByRole('img', { name: `${plate}, 1 of 1` })).toBeVisible()
  expect(thumb.taps).toBe(6)
  await check(page)
})

test('delivers an agreement with six taps', async ({ page }) => {
  await page.goto('/dashboard')
  const name = `Delivery ${uniqueLetters()}`
  const customer = await createCompany(page, name)
  const vehicle = await create<{ vehicle_id: string; name: string }>(page, '/api/vehicles', {
    registration_number: `Z${uniqueLetters()}`,
    make: 'Volvo',
    model: 'V60',
  })
  const number = await createSignedAgreement(page, customer, vehicle.vehicle_id)
  const thumb = new Thumb()
  await thumb.tap(tabBar(page).getByRole('button', { name: 'More' }))
  await thumb.tap(page.getByRole('dialog').getByRole('link', { name: 'Agreements' }))
  await expect(heading(page, 'Agreements')).toBeVisible()
  await thumb.type(page.getByRole('searchbox'), name)
  await page.keyboard.press('Enter')
  const row = page.getByRole('list', { name: 'Agreements' }).getByRole('listitem')
  await expect(row).toHaveCount(1)
  await thumb.tap(row)
  await expect(heading(page, `${number} ${name}`)).toBeVisible()
  await check(page)
  const deliver = { name: 'Mark as delivered', exact: true }
  await thumb.tap(page.getByRole('button', deliver))
  const dialog = page.getByRole('dialog', deliver)
  await expect(dialog.getByText(`${vehicle.name} becomes Sold.`)).toBeVisible()
  await check(page)
  await thumb.tap(dialog.getByRole('button', deliver))
  await expect(page.getByText('Agreement delivered')).toBeVisible()
  expect(thumb.taps).toBe(6)
  await expect(page.getByRole('button', { name: 'Close agreement' })).toBeInViewport({ ratio: 1 })
  await check(page)
})

test('corrects the e-mail in a file and imports it with ten taps', async ({ page }) => {
  const word = uniqueLetters()
  const lines = ['Name;Email', `Ada ${word};ada-${word}@mail.example`, `Bo ${word};bo-${word}.mail.example`]
  const file = { name: `${word}.csv`, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
  await page.goto('/dashboard')
  const thumb = new Thumb()
  await thumb.tap(tabBar(page).getByRole('button', { name: 'More' }))
  await thumb.tap(page.getByRole('dialog').getByRole('link', { name: 'Contacts' }))
  await thumb.tap(page.getByRole('button', { name: 'More actions' }))
  await check(page)
  await thumb.tap(page.getByRole('menuitem', { name: 'Import Contacts' }))
  const chooser = page.waitForEvent('filechooser')
  await thumb.tap(page.getByRole('button', { name: 'Choose a file' }))
  await (await chooser).setFiles(file)
  await thumb.tap(page.getByRole('button', { name: 'Next' }))
  await thumb.tap(page.getByRole('button', { name: 'View problems' }))
  await thumb.tap(page.getByRole('button', { name: /^Correct “.*” in row 3, Email$/ }))
  const cell = page.getByLabel('New value for row 3, Email')
  await expect(cell).toBeFocused()
  await expect(cell).toHaveAttribute('inputmode', 'email')
  await check(page)
  await page.keyboard.type(`bo-${word}@mail.example`)
  await thumb.tap(page.getByRole('button', { name: 'Correct', exact: true }))
  await expect(page.getByText('2 will be imported', { exact: true })).toBeVisible()
  await thumb.tap(page.getByRole('button', { name: 'Import Contacts' }))
  await expect(page.getByText('Import completed successfully!')).toBeVisible({ timeout: 30_000 })
  expect(thumb.taps).toBe(10)
  await check(page)
})

import { sessionOf } from './accounts'
import { checkLayout, expect, rowAction, sizes, test, uniqueLetters } from './test'

for (const viewport of sizes) {
  test.describe(`an administrator on ${viewport.width} px`, () => {
    test.use({ storageState: sessionOf('admin'), viewport, expectedStatuses: [400] })

    test('adds a vehicle by its number, changes it, deletes it and undoes that', async ({ page }) => {
      test.setTimeout(300_000)
      const plate = `Q${uniqueLetters()}`.toUpperCase()
      await page.goto('/dashboard/vehicles')
      await page.getByRole('button', { name: 'New vehicle' }).first().click()
      const form = page.getByRole('dialog', { name: 'New vehicle' })
      await form.getByRole('button', { name: 'Create vehicle' }).click()
      await expect(form.getByText('Enter a registration number or a VIN.')).toBeVisible()
      await form.getByRole('button', { name: /^More details/ }).click()
      await form.getByLabel('VIN').fill('1HGCM82633A004352')
      await expect(form.getByText('North America · Model year 2003.')).toBeVisible()
      await form.getByLabel('VIN').fill('')
      await form.getByLabel('Registration number').fill(plate.toLowerCase())
      await form.getByLabel('Make').fill('Volvo')
      await form.getByLabel('Model', { exact: true }).fill('V60')
      await form.getByLabel('Mileage', { exact: true }).fill('23400')
      await form.getByLabel('Asking price').fill('18995')
      await checkLayout(page)
      await form.getByRole('button', { name: 'Create vehicle' }).click()
      await expect(page.getByText('Vehicle created')).toBeVisible()

      await page.goto(`/dashboard/vehicles?search=${plate}`)
      const link = page.getByRole('link', { name: `Volvo V60, ${plate}` })
      await expect(link).toBeVisible()
      await checkLayout(page)
      await link.click()
      await expect(page.getByRole('heading', { level: 1, name: `Volvo V60, ${plate}` })).toBeVisible()
      await expect(page.getByText('23,400 km')).toBeVisible()
      await checkLayout(page)

      // A second vehicle in stock with the same registration number is rejected, and the input stays.
      await page.goto('/dashboard/vehicles')
      await page.getByRole('button', { name: 'New vehicle' }).first().click()
      await form.getByLabel('Registration number').fill(plate)
      await form.getByRole('button', { name: 'Create vehicle' }).click()
      await expect(form.getByText('Another vehicle in stock has this registration number.')).toBeVisible()
      await expect(form.getByLabel('Registration number')).toHaveValue(plate)
      await form.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Discard' }).click()

      await page.goto(`/dashboard/vehicles?search=${plate}`)
      await (await rowAction(page, `Volvo V60, ${plate}`, `Edit Volvo V60, ${plate}`)).click()
      const editor = page.getByRole('dialog', { name: 'Edit vehicle' })
      await editor.getByLabel('Mileage', { exact: true }).fill('23000')
      await editor.getByRole('button', { name: 'Save changes' }).click()
      await expect(
        editor.getByText('This mileage is lower than the last one, or missing. Say why.'),
      ).toBeVisible()
      await editor.getByLabel('Mileage remark').fill('New instrument')
      await editor.getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('Vehicle updated')).toBeVisible()

      await (await rowAction(page, `Volvo V60, ${plate}`, `Delete Volvo V60, ${plate}`)).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete vehicle' }).click()
      await expect(page.getByText('Vehicle deleted')).toBeVisible()
      await expect(link).toHaveCount(0)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(link).toBeVisible()
    })
  })
}

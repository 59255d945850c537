import { sessionOf } from './accounts'
import { checkLayout, devices, expect, rowAction, tabTo, test } from './test'

// One after the other, because a corporation can undo only one import at a time.
test.describe.configure({ mode: 'default' })

for (const [device, use] of Object.entries(devices)) {
  test.describe(`on ${device}`, () => {
    test.use({ storageState: sessionOf('admin'), ...use })

    test('an import is undone, except a contact that was changed since', async ({ page }) => {
      test.setTimeout(120_000)
      const mark = `undo${crypto.randomUUID().slice(0, 8)}`
      const rows = Array.from({ length: 1_200 }, (_, row) => `${mark} ${row};${mark}-${row}@bulk.example`)
      const buffer = Buffer.from(['Name;E-post', ...rows].join('\r\n'))
      await page.goto('/dashboard/contacts/imports/new')
      await page
        .getByLabel('Contacts file')
        .setInputFiles({ name: `${mark}.csv`, mimeType: 'text/csv', buffer })
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('button', { name: 'Import Contacts' }).click()
      await expect(page.getByText('Import completed successfully!')).toBeVisible({ timeout: 30_000 })
      await page.getByRole('link', { name: 'View contacts' }).click()
      await page.getByRole('link', { name: `${mark} 1199`, exact: true }).click()
      await page.getByLabel('New comment').fill('Wants a call')
      await page.getByRole('button', { name: 'Add comment' }).click()
      await expect(page.getByText('Wants a call').first()).toBeVisible()

      await page.goto('/dashboard/contacts/imports')
      const undo = page.getByLabel(`Undo the import of ${mark}.csv`)
      if (use.viewport.width < 768) {
        await page.getByRole('button', { name: `Actions for ${mark}.csv` }).click()
        await undo.click()
      } else {
        await tabTo(page, undo)
        await page.keyboard.press('Enter')
      }
      const panel = page.getByRole('region', { name: 'Undo this import?' })
      await expect(panel.getByRole('heading')).toBeFocused()
      await expect(panel.getByText('1,199 contacts go to the trash')).toBeVisible()
      await expect(panel.getByRole('listitem')).toHaveText([`${mark} 1199`])
      await checkLayout(page)
      await panel.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
      const undone = page.getByText('The import was undone. 1,199 contacts went to the trash, 1 stays')
      await expect(undone).toBeVisible({ timeout: 30_000 })

      await (await rowAction(page, `${mark}.csv`, `View contacts from ${mark}.csv`)).click()
      await expect(page.getByRole('link', { name: `${mark} 1199`, exact: true })).toBeVisible()
      await expect(page.getByText('Showing 1 to 1 of 1')).toBeVisible()
      await page.goto('/dashboard/history')
      const entry = page.getByRole('listitem').filter({ hasText: `1,199 contacts from ${mark}.csv` })
      await expect(entry.getByText('undid the import of')).toBeVisible()
    })
  })
}

import { sessionOf } from './accounts'
import { createCompany } from './api'
import { checkLayout, devices, expect, tabTo, test } from './test'

for (const [device, use] of Object.entries(devices)) {
  test.describe(`on ${device}`, () => {
    test.use({ storageState: sessionOf('admin'), ...use })

    test('the page of a customer shows its history, and a change is undone', async ({ page }) => {
      test.setTimeout(120_000)
      const word = `Holm${crypto.randomUUID().slice(0, 8)}`
      await page.goto('/dashboard/profile')
      const id = await createCompany(page, `Maja ${word}`)
      await page.goto(`/dashboard/customers/${id}`)
      const history = page.getByRole('region', { name: 'History' })
      const items = history.getByRole('listitem')
      await expect(history.getByRole('heading', { level: 2 })).toHaveText('History 1')
      await expect(history.getByRole('heading', { name: 'Today' })).toBeVisible()
      await expect(items).toContainText(/ created this customer/)

      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      const form = page.getByRole('dialog', { name: 'Edit Customer' })
      await form.getByLabel('Address').fill('Linnégatan 14')
      await form.getByLabel('Location').fill('Malmö')
      await form.getByRole('button', { name: 'Save changes' }).click()
      await expect(items).toHaveCount(2)
      await expect(history.getByRole('heading', { level: 2 })).toHaveText('History 2')
      await expect(items.first()).toContainText(/ changed 2 fields/)
      await expect(items.first().getByRole('term')).toHaveText(['Address', 'Location'])
      await expect(items.first().getByRole('deletion')).toHaveText(/Storgatan 1/)
      await expect(items.first().getByRole('insertion')).toHaveText([/Linnégatan 14/, /Malmö/])

      const values = items.last().getByRole('button', { name: /^From the form, \d+ fields$/ })
      await tabTo(page, values)
      await page.keyboard.press('Enter')
      await expect(items.last().getByRole('insertion').filter({ hasText: 'Storgatan 1' })).toBeVisible()
      await expect(items.last().getByText('Malmö')).toBeHidden()
      await checkLayout(page)

      const then = items.last().getByRole('button', { name: 'Show as of this date' })
      await then.focus()
      await page.keyboard.press('Enter')
      const past = page.getByRole('dialog', { name: /^As of / })
      await expect(past.getByRole('status')).toHaveText('2 fields are different today')
      await expect(past.getByRole('definition').filter({ hasText: 'Storgatan 1' })).toContainText(
        'Today: Linnégatan 14',
      )
      await checkLayout(page)
      await page.keyboard.press('Escape')
      await expect(then).toBeFocused()

      const undo = items.first().getByRole('button', { name: 'Undo…' })
      await undo.focus()
      await page.keyboard.press('Enter')
      const panel = page.getByRole('region', { name: 'Undo this change?' })
      await expect(panel.getByRole('heading')).toBeFocused()
      await expect(panel.getByRole('insertion').first()).toHaveText(/Storgatan 1/)
      await checkLayout(page)
      await page.keyboard.press('Escape')
      await expect(undo).toBeFocused()
      await undo.click()
      await panel.getByRole('button', { name: 'Undo 2 fields' }).click()
      await expect(page.getByText('The change was undone')).toBeVisible()
      await expect(items.first()).toContainText(/ undid an earlier change/)
      await expect(page.getByText('Storgatan 1').first()).toBeVisible()
    })
  })
}

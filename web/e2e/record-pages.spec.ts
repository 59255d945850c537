import { sessionOf } from './accounts'
import { kinds, titleOf } from './kinds'
import { expect, expectNoOverflow, sizes, test } from './test'

for (const viewport of sizes) {
  test.describe(`an administrator on ${viewport.width} px`, () => {
    test.use({ storageState: sessionOf('admin'), viewport, colorScheme: 'dark' })

    for (const kind of kinds) {
      test(`a page of ${kind} has its record's name in the tab's title, and is printed without controls`, async ({
        page,
      }) => {
        await page.goto(`/dashboard/${kind}`)
        const heading = page.getByRole('heading', { level: 1 })
        const link = page
          .getByRole('region', { name: titleOf(kind), exact: true })
          .getByRole('link')
          .first()
        await expect(link).toBeVisible()
        await expect(page).toHaveTitle(`${await heading.innerText()} · Forecourt`)
        const name = await link.innerText()
        await link.click()
        await expect(heading).toContainText(name)
        await expect(page).toHaveTitle(`${await heading.innerText()} · Forecourt`)
        await expect(page.getByRole('heading', { name: 'System Information' })).toBeVisible()
        await expect(page.locator('main .skeleton')).toHaveCount(0)

        await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
        await expect(heading).toBeVisible()
        // They are internal, and the paper may be for a customer.
        await expect(page.getByText('System Information')).toBeHidden()
        await expect(page.getByText('History', { exact: true }).filter({ visible: true })).toHaveCount(0)
        await expect(page.getByRole('banner')).toBeHidden()
        await expect(page.locator('nav').filter({ visible: true })).toHaveCount(0)
        // Except the photos of a vehicle, which are buttons, too.
        await expect(page.locator('button:not(:has(img))').filter({ visible: true })).toHaveCount(0)
        await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
        await expect(page.locator('body')).toHaveCSS('color', 'rgb(20, 23, 29)')
        await expectNoOverflow(page)
      })
    }
  })
}

import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { checkAccessibility, checkLayout, confirmWithKeyboard, expect, test } from './test'

test.use({ storageState: sessionOf('admin') })

/** Returns a CSV file with `rows` rows. Every tenth has an invalid email. */
function csv(name: string, rows: number) {
  const lines = ['Name;E-post;Telefon']
  for (let row = 1; row <= rows; row++) {
    // Without the end of a long name, because the part before the @ is limited.
    const email = row % 10 === 0 ? 'broken' : `${name.slice(0, 40)}-${row}@imports.example`
    lines.push(`${name} Person ${row};${email};+46 70 ${row}`)
  }
  return { name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
}

/** Submits a file for import on the screen, without waiting until the import has ended. */
async function send(page: Page, file: ReturnType<typeof csv>) {
  await page.goto('/dashboard/contacts/imports/new')
  await page.getByLabel('Contacts file').setInputFiles(file)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: /^Import / }).click()
  await expect(page.getByRole('heading', { name: 'Import Progress' })).toBeVisible()
}

const row = (page: Page, file: string) => page.getByRole('listitem').filter({ hasText: file })

test('lists an import, downloads its failed rows and opens its contacts', async ({ page }) => {
  const name = `listed${Date.now()}`
  await send(page, csv(name, 50))
  await page.goto('/dashboard/contacts/imports')
  const mine = row(page, `${name}.csv`)
  await expect(mine.getByText('Completed')).toBeVisible({ timeout: 30_000 })
  await expect(mine.getByRole('definition')).toHaveText(['45', '5', '0'])
  await expect(mine).toContainText('50 rows')

  const coming = page.waitForEvent('download')
  await mine.getByRole('button', { name: `Download the rows with problems of ${name}.csv` }).click()
  const download = await coming
  expect(download.suggestedFilename()).toBe(`${name} - rows with problems.csv`)
  const failed = readFileSync(await download.path(), 'utf8')
  expect(failed).toContain(`${name} Person 10`)
  expect(failed).toContain('Please enter a valid email address')
  expect(failed).not.toContain(`${name} Person 11`)

  await mine.getByRole('link', { name: `View contacts from ${name}.csv` }).click()
  const chip = page.getByRole('list', { name: 'Active filters' }).getByRole('link')
  await expect(chip).toContainText(`From ${name}.csv`)
  await expect(page.getByText('Showing 1 to 10 of 45 contacts')).toBeVisible()
  await page.getByRole('link', { name: 'Page 5' }).click()
  await expect(page.getByText('Showing 41 to 45 of 45 contacts')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Showing 41 to 45 of 45 contacts')).toBeVisible()
  await page
    .getByRole('link', { name: /^View details of/ })
    .first()
    .click()
  await page.getByRole('definition').getByRole('link').click()
  await expect(page.getByText('Showing 1 to 10 of 45 contacts')).toBeVisible()
  await checkAccessibility(page)
  await chip.click()
  await expect(chip).toHaveCount(0)
  await expect(page.getByText('of 45 contacts')).toHaveCount(0)
})

test('cancels a running import in the list by keyboard only', async ({ page }) => {
  const name = `cancelled${Date.now()}`
  await send(page, csv(name, 200_000))
  await page.goto('/dashboard/contacts/imports')
  const mine = row(page, `${name}.csv`)
  await mine.getByRole('button', { name: `Cancel the import of ${name}.csv` }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel import' })
  await confirmWithKeyboard(dialog, 'Keep importing')
  await expect(dialog).toBeHidden()
  await expect(mine.getByText('Cancelled', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(mine.getByRole('progressbar')).toHaveCount(0)
})

for (const width of [360, 768, 1440]) {
  test(`the list of imports is accessible and fits ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await send(page, csv(`wide${width}-${Date.now()}-${'long'.repeat(20)}`, 20))
    await page.goto('/dashboard/contacts/imports')
    await expect(page.getByText(/^Showing 1 to/)).toBeVisible()
    await expect(row(page, `wide${width}`).getByText('Completed').first()).toBeVisible({ timeout: 30_000 })
    await checkLayout(page)
  })
}

test.describe('a clerk', () => {
  test.use({ storageState: sessionOf('clerk'), expectedStatuses: [403] })

  test('without access to imports sees no link to them', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Showing 1 to/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Imports' })).toHaveCount(0)
    await page.goto('/dashboard/contacts/imports')
    await expect(page.getByRole('heading', { level: 1, name: 'Imports' })).toBeVisible()
    await expect(page.getByText("You don't have access to imports")).toBeVisible()
    await expect(page.getByRole('link', { name: 'Import Contacts' })).toHaveCount(0)
  })
})

import { readFile } from 'node:fs/promises'
import { sessionOf } from './accounts'
import { create } from './api'
import { checkAccessibility, checkLayout, expect, test } from './test'

test.describe('an administrator', () => {
  // The server responds with 404 for a person about whom nothing is stored.
  test.use({ storageState: sessionOf('admin'), expectedStatuses: [404] })

  test('finds a person by keyboard, downloads everything, and erases it with a certificate', async ({
    page,
  }) => {
    test.setTimeout(120_000)
    const word = `Ekdal${crypto.randomUUID().slice(0, 8)}`
    const email = `${word}@mail.example`.toLowerCase()
    await page.goto('/dashboard/profile')
    const contact = { name: `Ada ${word}`, email, phone: '070' }
    const { _id } = await create<{ _id: string }>(page, '/api/contacts', contact)
    await create(page, `/api/contacts/${_id}/comments`, { comment: `Called ${word}` })
    await create(page, '/api/invoices', {
      customer: 'Nordbil',
      website: 'nordbil.example',
      email,
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      projectPrice: 100,
    })

    await page.getByRole('button', { name: /Profile menu/ }).click()
    await page.getByRole('menuitem', { name: 'Personal data' }).click()
    // The page before has a field of this name, too.
    await expect(page.getByRole('heading', { level: 1, name: 'Personal data' })).toBeVisible()
    const field = page.getByRole('textbox', { name: 'Email' })
    await field.fill('nobody@mail.example')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Nothing is stored about this email address.')).toBeVisible()
    await field.fill(email.toUpperCase())
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: '1 contact' })).toBeVisible()
    await expect(page.getByText('1 comment', { exact: true })).toBeVisible()
    await checkAccessibility(page)

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download everything' }).click()
    const archive = await downloading
    expect(archive.suggestedFilename()).toBe('personal-data.zip')
    expect((await readFile(await archive.path())).subarray(0, 2).toString()).toBe('PK')

    await page.getByRole('button', { name: 'Erase…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Accounting law requires')).toBeVisible()
    await checkAccessibility(page)
    await dialog.getByRole('textbox').fill('ada')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Erase', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await dialog.getByRole('textbox').fill(email)
    // Enter erases only on the button.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Erase', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('heading', { name: 'Certificate of erasure' })).toBeVisible()
    const certifying = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const certificate = await readFile(await (await certifying).path(), 'utf8')
    expect(certificate).toContain('1 contact')
    expect(certificate.toLowerCase()).not.toContain(word.toLowerCase())
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: /^Download the certificate of/ }).first()).toBeVisible()

    await page.goto(`/dashboard/contacts/${_id}`)
    await expect(page.getByRole('heading', { name: 'Erased' })).toBeVisible()
    await expect(page.getByText(word)).toHaveCount(0)
    await page.goto('/dashboard/history')
    await expect(page.getByText("erased a person's data").first()).toBeVisible()
  })

  for (const width of [360, 768, 1440]) {
    test(`finds a long address, which fits ${width} px, also in the erasure dialog`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/dashboard/profile')
      const email = `${'lindenkrona'.repeat(5)}.${crypto.randomUUID().slice(0, 8)}@mail.example`
      await create(page, '/api/contacts', { name: 'Anna', email })
      await page.goto('/dashboard/privacy')
      await page.getByRole('textbox', { name: 'Email' }).fill(email)
      await page.keyboard.press('Enter')
      await expect(page.getByText(email, { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Erase…' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await checkLayout(page)
    })
  }
})

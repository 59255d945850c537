import { sessionOf } from './accounts'
import { create } from './api'
import { checkAccessibility, checkLayout, expect, test } from './test'

test('an administrator finds a new record in the history, which a clerk may not read', async ({
  browser,
}) => {
  const contexts = await Promise.all(
    (['admin', 'clerk'] as const).map(who => browser.newContext({ storageState: sessionOf(who) })),
  )
  const [admin, clerk] = await Promise.all(contexts.map(context => context.newPage()))
  if (!admin || !clerk) throw new Error('No pages')
  const name = `Elsa ${crypto.randomUUID().slice(0, 8)}`
  await admin.goto('/dashboard/profile')
  await create(admin, '/api/contacts', { name })

  await admin.goto('/dashboard')
  await admin.getByRole('button', { name: /Profile menu/ }).click()
  await admin.getByRole('menuitem', { name: 'History' }).click()
  await expect(admin).toHaveTitle('History · Forecourt')
  const created = admin.getByRole('listitem').filter({ hasText: `created the contact ${name}` })
  await expect(created).toBeVisible()
  await admin.getByRole('combobox', { name: 'Kind of record' }).click()
  await admin.getByRole('option', { name: 'Contacts', exact: true }).click()
  await admin.getByRole('combobox', { name: 'Action' }).click()
  await admin.getByRole('option', { name: 'Created' }).click()
  await expect(admin).toHaveURL(/resource=contacts&action=created/)
  await checkAccessibility(admin)
  await created.getByRole('link', { name }).click()
  await expect(admin.getByRole('heading', { name, level: 1 })).toBeVisible()
  await admin.goBack()
  await expect(created).toBeVisible()

  await clerk.goto('/dashboard/history')
  await expect(clerk.getByRole('heading', { name: "Your role doesn't include History" })).toBeVisible()
  for (const context of contexts) await context.close()
})

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin') })

  for (const width of [360, 768, 1440]) {
    test(`sees the history of the corporation on ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/dashboard/profile')
      const name = `Anna-Karin von ${'Lindenkrona'.repeat(6)} ${crypto.randomUUID().slice(0, 8)}`
      await create(page, '/api/contacts', { name })
      await page.goto('/dashboard/history?period=custom')
      await expect(page.getByText(name).first()).toBeVisible()
      await checkLayout(page)
    })
  }
})

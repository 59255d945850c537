import { sessionOf } from './accounts'
import { create, createCompany } from './api'
import { checkAccessibility, checkLayout, expect, expectNoOverflow, pageAction, test } from './test'

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin') })

  test('undoes deletions, restores a customer and links its invoice again, and deletes a contact permanently', async ({
    page,
  }) => {
    test.setTimeout(120_000)
    const word = `Ekdal${crypto.randomUUID().slice(0, 8)}`
    await page.goto('/dashboard/profile')
    const { _id } = await create<{ _id: string }>(page, '/api/contacts', { name: `Ada ${word}` })
    await create(page, `/api/contacts/${_id}/comments`, { comment: 'Called twice' })
    await create(page, '/api/contacts', { name: `Bo ${word}` })
    const customer_id = await createCompany(page, `Maja ${word}`)
    const invoice = await create<{ _id: string }>(page, '/api/invoices', {
      customer: `Maja ${word}`,
      customer_id,
      website: 'nordbil.example',
      email: 'maja@mail.example',
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      projectPrice: 100,
    })
    const undo = page.getByRole('button', { name: 'Undo' })
    const row = (name: string) => page.getByRole('row', { name: `${name} ${word}` })

    await page.goto(`/dashboard/contacts/${_id}`)
    await (await pageAction(page, 'Delete')).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
    await expect(page.getByRole('heading', { name: 'Contacts Management' })).toBeVisible()
    await undo.click()
    await expect(page.getByText('The record was restored')).toBeVisible()
    await page.goto(`/dashboard/contacts/${_id}`)
    await expect(page.getByText('Called twice').first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'History' })).toContainText('restored this contact')

    await page.goto(`/dashboard/contacts?search=${word}`)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2' }).click()
    await expect(undo).toBeVisible()
    await expect(row('Bo')).toBeHidden()
    await page.keyboard.press('ControlOrMeta+z')
    await expect(page.getByText('2 records were restored')).toBeVisible()
    await expect(row('Bo')).toBeVisible()

    await page.goto(`/dashboard/customers/${customer_id}`)
    await (await pageAction(page, 'Delete')).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete customer' }).click()
    await expect(undo).toBeVisible()
    await page.goto(`/dashboard/contacts?search=Bo+${word}`)
    await page.getByRole('button', { name: `Delete Bo ${word}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
    await expect(undo).toBeVisible()
    await page.getByRole('button', { name: /Profile menu/ }).click()
    await page.getByRole('menuitem', { name: 'Trash' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible()
    await page.getByRole('searchbox').fill(word.toLowerCase())
    await page.keyboard.press('Enter')
    await expect(row('Maja')).toContainText('30 days')
    await expect(page.getByText('Showing 1 to 2 of 2 records')).toBeVisible()
    await checkAccessibility(page)
    await page.getByRole('button', { name: `Restore Maja ${word}` }).click()
    await expect(page.getByText(`Maja ${word} was restored`)).toBeVisible()
    await expect(row('Maja')).toBeHidden()

    await page.getByRole('checkbox', { name: `Select Bo ${word}` }).check()
    await page.getByRole('button', { name: 'Delete permanently…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
    await expect(page.getByText('1 record was permanently deleted')).toBeVisible()
    await expect(page.getByText('Nothing found')).toBeVisible()

    await page.goto(`/dashboard/invoices/${invoice._id}`)
    const history = page.getByRole('region', { name: 'History' })
    await expect(history.getByRole('listitem')).toHaveCount(3)
    await expect(history.getByRole('listitem').first()).toContainText('Linked customer')
  })

  for (const width of [360, 768, 1440]) {
    test(`sees the trash on ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/dashboard/profile')
      const name = `Anna-Karin von ${'Lindenkrona'.repeat(6)} ${crypto.randomUUID().slice(0, 8)}`
      const { _id } = await create<{ _id: string }>(page, '/api/contacts', { name })
      await page.goto(`/dashboard/contacts/${_id}`)
      await (await pageAction(page, 'Delete')).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete contact' }).click()
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
      await expectNoOverflow(page)
      await page.goto('/dashboard/trash')
      await expect(page.getByText(name).first()).toBeVisible()
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await checkLayout(page)
    })
  }
})

import { sessionOf } from './accounts'
import { create } from './api'
import { checkAccessibility, checkLayout, devices, expect, pageAction, tabTo, test } from './test'

for (const [device, use] of Object.entries(devices)) {
  test.describe(`on ${device}`, () => {
    test.use({ storageState: sessionOf('admin'), ...use })

    test('duplicates are found while typing and in the list, merged, and separated again', async ({
      page,
    }) => {
      test.setTimeout(120_000)
      const word = `Holm${crypto.randomUUID().slice(0, 8)}`
      const email = `${word.toLowerCase()}@mail.example`
      await page.goto('/dashboard/profile')
      const kept = await create<{ _id: string }>(page, '/api/contacts', { name: `Maja ${word}`, email })
      const other = { name: `M ${word}`, email, phone: '070-123 45 67' }
      const { _id } = await create<{ _id: string }>(page, '/api/contacts', other)
      await create(page, `/api/contacts/${_id}/comments`, { comment: 'Called twice' })

      await page.goto('/dashboard/contacts')
      await page.getByRole('button', { name: 'Add New Contact' }).click()
      const form = page.getByRole('dialog', { name: 'Create New Contact' })
      await form.getByLabel('Email').fill(email.toUpperCase())
      await expect(form.getByText(`M ${word} has the same email.`)).toBeVisible()
      await expect(form.getByRole('link', { name: `Open Maja ${word} in a new tab` })).toBeVisible()
      await checkLayout(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard' }).click()

      await (await pageAction(page, 'Find duplicates')).click()
      await expect(page.getByRole('heading', { name: 'Duplicate contacts' })).toBeFocused()
      const group = page
        .getByRole('listitem')
        .filter({ has: page.getByText('Same email') })
        .filter({ hasText: word })
      await expect(group.getByRole('link', { name: `Maja ${word}` })).toBeVisible()
      await checkLayout(page)
      const open = group.getByRole('button', { name: `Merge M ${word}…` })
      await tabTo(page, open)
      await page.keyboard.press('Enter')

      const dialog = page.getByRole('dialog', { name: 'Merge records' })
      await expect(dialog.getByText('Moves to the kept record: 1 comment')).toBeVisible()
      const keep = dialog.getByRole('group', { name: 'Keep this record' })
      await expect(keep.getByRole('radio', { name: `Maja ${word}` })).toBeChecked()
      await expect(
        dialog.getByRole('group', { name: 'Phone' }).getByRole('radio', { name: /070/ }),
      ).toBeChecked()
      await checkLayout(page)
      await dialog.getByRole('button', { name: 'Merge', exact: true }).press('Enter')
      await expect(page.getByText('The records were merged')).toBeVisible()
      await expect(group).toBeHidden()

      await page.goto(`/dashboard/contacts/${kept._id}`)
      await expect(page.getByText('070-123 45 67').first()).toBeVisible()
      await expect(page.getByText('Called twice').first()).toBeVisible()
      const history = page.getByRole('region', { name: 'History' })
      const merge = history.getByRole('listitem').filter({ hasText: 'merged other contacts into this one' })
      await merge.getByRole('button', { name: 'Undo…' }).focus()
      await page.keyboard.press('Enter')
      const panel = page.getByRole('region', { name: 'Undo this merge?' })
      await expect(panel.getByText('1 record comes back from the trash.')).toBeVisible()
      await checkAccessibility(page)
      await panel.getByRole('button', { name: /^Undo/ }).click()
      await expect(page.getByText('The records are separate again')).toBeVisible()
      await page.goto(`/dashboard/contacts/${_id}`)
      await expect(page.getByText('Called twice').first()).toBeVisible()
    })
  })
}

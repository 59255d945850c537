import { sessionOf } from './accounts'
import { create } from './api'
import { checkAccessibility, expect, test } from './test'

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin') })

  test('edits older comments, and loading them keeps the scroll position', async ({ page }) => {
    test.setTimeout(120_000)
    await page.goto('/dashboard/profile')
    const { _id } = await create<{ _id: string }>(page, '/api/contacts', { name: 'Talked Over Testsson' })
    for (let call = 1; call <= 130; call += 1) {
      await create(page, `/api/contacts/${_id}/comments`, { comment: `Call ${call}` })
    }
    await page.goto(`/dashboard/contacts/${_id}`)
    const comments = page.getByRole('region', { name: 'Comments' })
    const items = comments.getByRole('listitem')
    const more = comments.getByRole('button', { name: 'Show older comments' })
    await expect(comments.getByRole('heading')).toContainText('130')
    await expect(items).toHaveCount(100)
    await more.scrollIntoViewIfNeeded()
    const place = async () => (await items.nth(99).boundingBox())?.y
    const before = await place()
    await more.click()
    await expect(items).toHaveCount(125)
    expect(await place()).toBe(before)
    await more.click()
    await expect(items).toHaveCount(130)
    await expect(more).toBeHidden()
    await expect(items.nth(125)).toBeFocused()
    await checkAccessibility(page)

    await items
      .last()
      .getByRole('button', { name: /^Edit the comment/ })
      .click()
    await comments.getByLabel('Edit comment').fill('The first call')
    await comments.getByRole('button', { name: 'Save' }).click()
    await expect(items.last()).toContainText('The first call')
    await items
      .nth(128)
      .getByRole('button', { name: /^Delete the comment/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete comment' }).click()
    await expect(comments.getByRole('heading')).toContainText('129')
    await comments.getByLabel('New comment').fill('The last call')
    await comments.getByRole('button', { name: 'Add comment' }).click()
    await expect(items.first()).toContainText('The last call')
    await expect(items).toHaveCount(130)
    await expect(items.last()).toContainText('The first call')

    await page.reload()
    await expect(items).toHaveCount(100)
    await more.click()
    await more.click()
    await expect(items.last()).toContainText('The first call')
    await expect(comments.getByText('Call 2', { exact: true })).toBeHidden()
  })
})

import { accounts, sessionOf, signInInNewBrowser } from './accounts'
import { create } from './api'
import { checkLayout, expect, tabTo, test } from './test'

for (const [device, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 360, height: 740 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ storageState: sessionOf('clerk'), viewport })

    test('open lists offer the changes of a colleague, and share a stream', async ({
      page,
      context,
      browser,
    }) => {
      test.setTimeout(120_000)
      const word = `Ahlgren${crypto.randomUUID().slice(0, 8)}`
      let streams = 0
      context.on('request', request => {
        if (request.url().endsWith('/api/events')) streams += 1
      })
      const colleague = await browser.newContext({ storageState: sessionOf('admin') })
      const other = await colleague.newPage()
      await other.goto('/dashboard/profile')
      const { _id } = await create<{ _id: string }>(other, '/api/contacts', { name: `Ada ${word}` })
      await page.goto(`/dashboard/contacts?search=${word}`)
      const name = page.getByRole('link', { name: new RegExp(`^\\w+ ${word}$`) })
      const offer = page.getByRole('button', { name: /· Show$/ })
      await expect(name).toHaveText(`Ada ${word}`)
      const before = await name.boundingBox()

      await other.goto(`/dashboard/contacts/${_id}`)
      await other.getByRole('button', { name: 'Edit', exact: true }).click()
      const form = other.getByRole('dialog', { name: 'Edit Contact' })
      await form.getByLabel('Name').fill(`Ebba ${word}`)
      await form.getByRole('button', { name: 'Save changes' }).click()
      await expect(other.getByRole('heading', { name: `Ebba ${word}` })).toBeVisible()

      // The number isn't checked, because other tests change contacts at the same time.
      await expect(offer).toHaveText(/changes? · Show$/)
      await expect(name, 'nothing changes by itself').toHaveText(`Ada ${word}`)
      expect(await name.boundingBox(), 'no row moves').toEqual(before)
      await checkLayout(page)
      await tabTo(page, offer)
      await page.keyboard.press('Enter')
      await expect(name).toHaveText(`Ebba ${word}`)

      // A second tab shares the event stream of the first one.
      const tab = await context.newPage()
      await tab.goto('/dashboard/contacts')
      await expect(tab.getByRole('heading', { name: 'Contacts Management' })).toBeVisible()
      await create(other, `/api/contacts/${_id}/comments`, { comment: 'Called twice' })
      await expect(offer).toBeVisible()
      await expect(tab.getByRole('button', { name: /· Show$/ })).toBeVisible()
      expect(streams).toBe(1)
      await tab.close()

      await colleague.close()
    })
  })
}

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin') })

  test('a form shows who else edits the record', async ({ page, browser, baseURL }) => {
    test.setTimeout(120_000)
    const word = `Berg${crypto.randomUUID().slice(0, 8)}`
    await page.goto('/dashboard/profile')
    const { _id } = await create<{ _id: string }>(page, '/api/contacts', { name: `Ada ${word}` })
    const other = await signInInNewBrowser(browser, baseURL, accounts.sales)
    for (const tab of [page, other]) {
      await tab.goto(`/dashboard/contacts/${_id}`)
      await tab.getByRole('button', { name: 'Edit', exact: true }).click()
    }
    const notice = (tab: typeof page) => tab.getByRole('dialog').getByText(/ is also editing this record$/)
    await expect(notice(page)).toBeVisible()
    await expect(notice(other)).toBeVisible()
    await checkLayout(page)
    // A form that is opened again learns it at once, too, although the other form knows its user already.
    await other.reload()
    await other.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(notice(other)).toBeVisible({ timeout: 5_000 })
    await other.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(notice(page)).toBeHidden()
    await other.context().close()
  })
})

import type { Page } from '@playwright/test'
import { accounts, sessionOf, signIn } from './accounts'
import { checkLayout, devices, expect, test } from './test'

const forms = [
  {
    what: 'customer',
    path: '/dashboard/customers',
    open: 'New Customer',
    typed: { Name: 'Maja Holm', Address: 'Hamngatan 7' },
  },
  {
    what: 'vehicle',
    path: '/dashboard/vehicles',
    open: 'New vehicle',
    // The colour is among the details, which are hidden at first.
    typed: { Make: 'Saab', Colour: 'Dark green' },
  },
]

/** Ends the session on this device, as when it has expired. */
const endSession = (page: Page) =>
  page.evaluate(() => ['accessToken', 'refreshToken'].map(name => localStorage.removeItem(name)))

for (const [device, options] of Object.entries(devices)) {
  test.describe(`an administrator on ${device}`, () => {
    test.use({ storageState: sessionOf('admin'), ...options })

    for (const { what, path, open, typed } of forms) {
      test(`restores the draft of a ${what} after a reload and a new sign-in, and discards it`, async ({
        page,
      }) => {
        test.setTimeout(180_000)
        // Accepts the browser's question whether to leave the page.
        page.on('dialog', question => void question.accept())
        await page.goto(path)
        const opener = page.getByRole('button', { name: open }).first()
        const form = page.getByRole('dialog')
        const field = (label: string) => form.getByLabel(label, { exact: true })
        const [[first, value], [second, another]] = Object.entries(typed) as [
          [string, string],
          [string, string],
        ]
        await opener.click()
        await expect(form.getByText('Draft restored.')).toHaveCount(0)
        await field(first).fill(value)
        await page.reload()
        await opener.click()
        await expect(form.getByText('Draft restored.')).toBeVisible()
        await expect(field(first)).toHaveValue(value)
        if (what === 'vehicle') await form.getByRole('button', { name: /^More details/ }).click()
        await field(second).fill(another)

        await endSession(page)
        await page.reload()
        await expect(page).toHaveURL(/\/login\?next=/)
        await signIn(page, accounts.admin)
        await expect(page).toHaveURL(new RegExp(`${path}$`))
        await opener.click()
        await expect(form.getByText('Draft restored.')).toBeVisible()
        await expect(field(first)).toHaveValue(value)
        await expect(field(second)).toBeVisible()
        await expect(field(second)).toHaveValue(another)
        await checkLayout(page)

        await form.getByRole('button', { name: 'Discard draft' }).click()
        await expect(form.getByText('Draft restored.')).toHaveCount(0)
        await expect(field(first)).toHaveValue('')
        await expect(field(second)).toHaveValue('')
        // Nothing is typed now, so the form closes without a question, and opens empty.
        await form.getByRole('button', { name: 'Cancel' }).click()
        await expect(form).toHaveCount(0)
        await opener.click()
        await expect(field(first)).toHaveValue('')
        await expect(form.getByText('Draft restored.')).toHaveCount(0)
      })
    }
  })
}

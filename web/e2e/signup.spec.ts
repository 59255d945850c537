import type { Page } from '@playwright/test'
import { login } from './accounts'
import { poll } from './poll'
import { checkAccessibility, checkLayout, devices, expect, test, uniqueLetters } from './test'

const confirmed =
  'Your email address is confirmed. A platform administrator will activate your corporation. We will email you when you can sign in.'
const over =
  'This link has expired or has already been used. If your email address is not confirmed yet, please register again.'
const unconfirmed =
  'Please confirm your email address first: open the link in the email that we sent you. If the link has expired, register again.'

const PASSWORD = 'three birds on a wire'

/** Returns the URL of the mailed link that confirms the sign-up with this e-mail. */
const mailedLink = (page: Page, email: string): Promise<string> =>
  poll(`a link for ${email}`, async () => {
    const mailbox = await (await page.request.get('/demo/mailbox')).text()
    const mail = mailbox.split('<article>').find(article => article.includes(`To ${email}<`))
    return /http\S+(\/verify-email\?token=[\w-]+)/.exec(mail ?? '')?.[1]
  })

/** Fills in and submits the form that registers a company. */
async function register(page: Page, email: string, number: string) {
  const values = {
    'Organization Number': number,
    'Company Name': 'Ny Bil AB',
    'Street Address': 'Storgatan 1',
    'Registered City': 'Umeå',
    'Postal Code': '903 26',
    City: 'Umeå',
    'Company Email': 'info@nybil.example',
    'Company Phone Number': '090123456',
    'First Name': 'Ada',
    'Last Name': 'Lind',
    Email: email,
    'Phone Number': '0701234567',
    Password: PASSWORD,
  }
  for (const [name, text] of Object.entries(values)) await page.getByLabel(name, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Register company' }).click()
}

for (const [name, device] of Object.entries(devices)) {
  test.describe(`v8: a sign-up on ${name}`, () => {
    test.use({ ...device, expectedStatuses: [400, 401, 403] })

    test('is confirmed by its mailed link, which works once', async ({ page }) => {
      const id = uniqueLetters().toLowerCase()
      const email = `ada.${id}@nybil.example`
      await page.goto('/login')
      await page.getByRole('link', { name: 'Register your company' }).click()
      await expect(page).toHaveURL('/signup')
      await page.getByRole('button', { name: 'Register company' }).click()
      await expect(page.getByLabel('Organization Number', { exact: true })).toBeFocused()
      await checkLayout(page)
      await register(page, email, id)
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
      await checkLayout(page)
      const link = await mailedLink(page, email)

      await page.getByRole('link', { name: 'Back to sign in' }).click()
      await login(page, email, 'another password')
      await expect(page.getByText('Invalid email or password')).toBeVisible()
      await login(page, email, PASSWORD)
      await expect(page.getByText(unconfirmed)).toBeVisible()

      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible()
      await expect(page.getByText(confirmed)).toBeVisible()
      await expect(page).toHaveURL('/verify-email')
      await checkLayout(page)

      await page.reload()
      await expect(page.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible()

      // Another tab doesn't know that the link was used.
      await page.evaluate(() => sessionStorage.clear())
      await page.goto(link)
      await expect(page.getByRole('alert')).toHaveText(over)
      await checkAccessibility(page)
      await page.getByRole('link', { name: 'Back to sign in' }).click()
      await expect(page).toHaveURL('/login')
      await login(page, email, PASSWORD)
      await expect(page.getByText('Your corporation is waiting for approval.')).toBeVisible()
    })
  })
}

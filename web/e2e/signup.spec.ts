import type { Page } from '@playwright/test'
import { login } from './accounts'
import { poll } from './poll'
import { checkAccessibility, expect, expectNoOverflow, test } from './test'

const confirmed =
  'Your email address is confirmed. A platform administrator will activate your corporation. We will email you when you can sign in.'
const over =
  'This link has expired or has already been used. If your email address is not confirmed yet, please register again.'
const unconfirmed =
  'Please confirm your email address first: open the link in the email that we sent you. If the link has expired, register again.'

const PASSWORD = 'three birds on a wire'

/** Signs up a corporation through the API, and returns the URL of the mailed link that confirms it. */
async function signUp(page: Page, email: string, number: string): Promise<string> {
  const answer = await page.request.post('/api/auth/signup', {
    data: {
      first_name: 'Ada',
      last_name: 'Lind',
      email,
      mobile: '0701234567',
      password: PASSWORD,
      organization_number: number,
      corp_name: 'Ny Bil AB',
      street_address: 'Storgatan 1',
      registered_city: 'Umeå',
      postal_code: '903 26',
      city: 'Umeå',
      company_email: 'info@nybil.example',
      company_phone: '090123456',
    },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return poll(`a link for ${email}`, async () => {
    const mailbox = await (await page.request.get('/demo/mailbox')).text()
    const mail = mailbox.split('<article>').find(article => article.includes(`To ${email}<`))
    return /http\S+(\/verify-email\?token=[\w-]+)/.exec(mail ?? '')?.[1]
  })
}

test.describe('v8: a sign-up', () => {
  test.use({ expectedStatuses: [400, 401, 403] })

  test('a sign-up is confirmed by its mailed link, which works once', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const email = `ada.${Date.now()}@nybil.example`
    const link = await signUp(page, email, `${Date.now()}`)

    await page.goto('/login')
    await login(page, email, 'another password')
    await expect(page.getByText('Invalid email or password')).toBeVisible()
    await login(page, email, PASSWORD)
    await expect(page.getByText(unconfirmed)).toBeVisible()

    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible()
    await expect(page.getByText(confirmed)).toBeVisible()
    await expect(page).toHaveURL('/verify-email')
    await checkAccessibility(page)
    await expectNoOverflow(page)

    await page.goto(link)
    await expect(page.getByRole('alert')).toHaveText(over)
    await checkAccessibility(page)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await expect(page).toHaveURL('/login')
    await login(page, email, PASSWORD)
    await expect(page.getByText('Your corporation is waiting for approval.')).toBeVisible()
  })
})

import type { Browser, Page } from '@playwright/test'
import { accounts, mailedCode, PASSWORD, sessionOf, signIn } from './accounts'
import { findEnglishTexts } from './english'
import { checkAccessibility, expect, expectNoOverflow, test } from './test'

const expectSwedish = (page: Page) => expect(page.locator('html')).toHaveAttribute('lang', 'sv')
const expectEnglish = (page: Page) => expect(page.locator('html')).toHaveAttribute('lang', 'en')

const anotherBrowser = (browser: Browser, baseURL: string | undefined) =>
  browser.newContext({ baseURL, locale: 'sv-SE', storageState: { cookies: [], origins: [] } })

/** Waits for the server's response to the request that stores the user's language. */
const saved = (page: Page) => page.waitForResponse('**/api/auth/profile/language')

/** Changes the language in Settings. */
async function change(page: Page, name: 'English' | 'Svenska') {
  await page.getByRole('radio', { name }).click()
  await page.getByRole('button', { name: /^(Change language|Byt språk)$/ }).click()
}

/** Opens Settings, and switches the language to English if it is Swedish. */
async function settingsInEnglish(page: Page) {
  await page.goto('/dashboard/profile')
  const english = page.getByRole('radio', { name: 'English' })
  if (!(await english.isChecked())) await Promise.all([saved(page), change(page, 'English')])
  await expectEnglish(page)
}

test.describe('signed out', () => {
  test.use({ storageState: { cookies: [], origins: [] }, locale: 'sv-SE' })

  test('the login page is in English until Swedish is chosen', async ({ page, browser, baseURL }) => {
    await page.goto('/login')
    await expectEnglish(page)
    await page.getByRole('button', { name: 'Svenska' }).click()
    await expect(page.getByRole('button', { name: 'English' })).toBeVisible()
    await expectSwedish(page)
    await checkAccessibility(page)

    await page.locator('input[name="email"]').fill('ada@')
    await page.locator('input[name="email"]').press('Enter')
    await expect(page.getByText('Ange en giltig e-postadress.')).toBeVisible()
    await expect(page.getByText('Ange lösenordet.')).toBeVisible()

    await page.reload()
    await expect(page.getByRole('button', { name: 'English' })).toBeVisible()
    const another = await (await anotherBrowser(browser, baseURL)).newPage()
    await another.goto('/login')
    await expect(another.getByRole('button', { name: 'Svenska' })).toBeVisible()
    await expectEnglish(another)
    await another.context().close()

    await page.getByRole('button', { name: 'English' }).click()
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await expectEnglish(page)
  })

  test.describe('with network errors', () => {
    test.use({ expectedStatuses: [0] })

    test('the lang attribute is set before the first paint', async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('language', 'sv'))
      await page.route('**/assets/*.js', route => route.abort('internetdisconnected'))
      await page.goto('/login', { waitUntil: 'commit' })
      await expectSwedish(page)
      await expect(page.getByRole('status').getByText('Läser in')).toBeVisible()
      await expect(page.getByRole('status').getByText('Loading')).toBeHidden()
    })

    test('without the Swedish texts the page is in English with lang=en', async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('language', 'sv'))
      await page.route('**/assets/swedish-*.js', route => route.abort('internetdisconnected'))
      await page.goto('/login')
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
      await expectEnglish(page)
    })
  })
})

test.describe('a signed-in user', () => {
  // One after the other, because these tests change the language of the same user.
  test.describe.configure({ mode: 'default' })
  test.use({ storageState: sessionOf('swede'), viewport: { width: 1440, height: 900 } })

  test('Swedish in Settings translates the not-found page, a form and the palette', async ({ page }) => {
    await settingsInEnglish(page)
    await change(page, 'Svenska')
    await expect(page.getByRole('button', { name: 'Färgläge' })).toBeVisible()
    await expectSwedish(page)
    await page.goto('/dashboard/nowhere')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('main .skeleton')).toHaveCount(0)
    expect(await findEnglishTexts(page)).toEqual([])
    await expectNoOverflow(page)

    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Visar 1 till /)).toBeVisible()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog')
    await form.locator('input[name="email"]').fill('ada@')
    await form.locator('input[name="name"]').press('Enter')
    await expect(form.getByText('Ange namnet.')).toBeVisible()
    await expect(form.getByText('Ange en giltig e-postadress.')).toBeVisible()
    await checkAccessibility(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Släng' }).click()
    await expect(form).toHaveCount(0)

    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Sök bland sidor, åtgärder och poster' })).toBeFocused()
    await page.keyboard.type('ny faktura')
    await expect(page.getByRole('option', { name: 'Ny faktura' })).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: /^Profilmeny för / }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect(page.getByRole('button', { name: 'Colour scheme' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Profile menu of / })).toBeFocused()
    await expectEnglish(page)
  })

  test('on a phone the profile menu switches the language, too', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await settingsInEnglish(page)
    await page.getByRole('button', { name: /^Profile menu of / }).click()
    await Promise.all([saved(page), page.getByRole('menuitemradio', { name: 'Svenska' }).click()])
    await expect(page.getByRole('button', { name: /^Profilmeny för / })).toBeFocused()
    await expectSwedish(page)
    // The history has no entry of the menu left, so Back leaves the page.
    expect(await page.evaluate(() => history.state?.dialogs ?? 0)).toBe(0)
  })

  test('the language applies on every device, and drafts survive the switch', async ({
    page,
    browser,
    baseURL,
  }) => {
    await settingsInEnglish(page)
    const [swedish] = await Promise.all([saved(page), change(page, 'Svenska')])
    expect(swedish.status()).toBe(200)

    const other = await (await anotherBrowser(browser, baseURL)).newPage()
    let documents = 0
    other.on('domcontentloaded', () => documents++)
    await other.goto('/login')
    await expectEnglish(other)
    await signIn(other, accounts.swede)
    await expect(other.getByRole('button', { name: 'Färgläge' })).toBeVisible()
    await expectSwedish(other)
    expect(documents, 'the page reloaded once').toBe(2)
    await other.goto('/dashboard/profile')
    await other.locator('input[name="first_name"]').fill('Carin')
    expect(documents).toBe(3)

    const [english] = await Promise.all([saved(page), change(page, 'English')])
    expect(english.status()).toBe(200)
    // Ends the session. This device stays in Swedish until the user has signed in again.
    await other.evaluate(() => ['accessToken', 'refreshToken'].map(name => localStorage.removeItem(name)))
    await other.reload()
    await expect(other.getByRole('button', { name: 'English' })).toBeVisible()
    await expectSwedish(other)
    await other.locator('input[name="email"]').fill(accounts.swede)
    await other.locator('input[name="password"]').fill(PASSWORD)
    const code = await mailedCode(accounts.swede, () => other.keyboard.press('Enter'))
    await expect(other.getByRole('textbox').first()).toBeFocused()
    await other.keyboard.type(code)
    await expect(other.getByText('Draft restored.')).toBeVisible()
    await expect(other.getByLabel('First name')).toHaveValue('Carin')
    await expectEnglish(other)
    expect(documents).toBe(5)
    await other.context().close()
  })

  test('switching the language keeps unsaved input without asking', async ({ page }) => {
    await settingsInEnglish(page)
    const asked: string[] = []
    page.on('dialog', async dialog => {
      asked.push(dialog.type())
      await dialog.accept()
    })
    await page.getByLabel('First name').click()
    await page.keyboard.type('Carin')
    await change(page, 'Svenska')
    await expect(page.getByRole('button', { name: 'Färgläge' })).toBeVisible()
    await expect(page.locator('input[name="first_name"]')).toHaveValue(/Carin/)
    expect(asked).toEqual([])
  })

  test.describe('with network errors', () => {
    test.use({ expectedStatuses: [0] })

    test('an unsaved language choice is kept and saved to the account later', async ({ page }) => {
      await settingsInEnglish(page)
      await page.route('**/api/auth/profile/language', route => route.abort('internetdisconnected'))
      await change(page, 'Svenska')
      await expect(page.getByText(/^Språket ändrades på den här enheten men/)).toBeVisible()
      await expectSwedish(page)
      await page.reload()
      await expect(page.getByText(/^Språket ändrades på den här enheten men/)).toBeVisible()
      await expectSwedish(page)
      await page.unroute('**/api/auth/profile/language')
      await Promise.all([page.waitForResponse('**/api/auth/profile/language'), page.reload()])
      await page.evaluate(() => localStorage.removeItem('language'))
      await page.reload()
      await expect(page.getByRole('button', { name: 'Färgläge' })).toBeVisible()
      await expectSwedish(page)
    })
  })
})

test.describe('a user without a language setting', () => {
  test.use({ storageState: sessionOf('clerk') })

  test('uses the language that was last chosen in this browser', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('language', 'sv'))
    await page.goto('/dashboard')
    await expect(page.getByRole('button', { name: 'Färgläge' })).toBeVisible()
    await expectSwedish(page)
  })
})

test.describe('a platform administrator', () => {
  test.use({ storageState: sessionOf('platform'), viewport: { width: 1440, height: 900 } })
  test.beforeEach(async ({ page }) => page.addInitScript(() => localStorage.setItem('language', 'sv')))

  const expectNoEnglish = async (page: Page) => expect(await findEnglishTexts(page)).toEqual([])

  const screens: [path: string, heading: string, dialog?: string][] = [
    ['/dashboard/users', 'Användare', 'Lägg till användare'],
    ['/dashboard/roles', 'Roller', 'Skapa roll'],
    ['/dashboard/corporations', 'Företag', 'Registrera företag'],
    ['/dashboard/subscriptions', 'Abonnemang'],
    ['/dashboard/profile', 'Inställningar'],
  ]
  test("the first role's name is in Swedish in dialogs, selects and filters", async ({ page }) => {
    await page.goto('/dashboard/roles')
    await page.getByRole('button', { name: 'Byt namn på Administratör' }).click()
    const form = page.getByRole('dialog', { name: 'Byt namn på roll' })
    await expect(form.getByRole('textbox', { name: 'Namn' })).toHaveValue('Administratör')
    const description = form.getByRole('textbox', { name: 'Beskrivning' })
    await expect(description).toHaveValue('Allt som företaget får använda')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Ta bort Administratör' }).click()
    await expect(page.getByRole('dialog', { name: 'Ta bort rollen' })).toContainText('Administratör')

    await page.goto('/dashboard/users')
    await page.getByRole('button', { name: 'Lägg till användare' }).click()
    await page.getByRole('combobox', { name: 'Roll' }).click()
    await expect(page.getByRole('option', { name: 'Administratör' })).toBeVisible()

    await page.goto('/dashboard/users')
    await page.getByRole('button', { name: 'Lägg till filter' }).click()
    const filter = page.getByRole('dialog', { name: 'Lägg till filter' })
    await filter.getByRole('button', { name: 'Roll', exact: true }).click()
    await expect(filter.getByRole('checkbox', { name: 'Administratör' })).toBeVisible()
  })

  for (const [path, heading, dialog] of screens) {
    test(`${heading} is in Swedish, also on a phone`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.locator('main .skeleton')).toHaveCount(0)
      await expectNoEnglish(page)
      if (dialog) {
        await page.keyboard.press('n')
        const form = page.getByRole('dialog', { name: dialog })
        await form.getByRole('textbox').first().press('Enter')
        await expect(form.getByRole('alert').or(form.locator('[aria-invalid="true"]')).first()).toBeVisible()
        await expectNoEnglish(page)
        await page.keyboard.press('Escape')
        await expect(form).toHaveCount(0)
      }
      await page.setViewportSize({ width: 360, height: 740 })
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expectNoOverflow(page)
    })
  }
})

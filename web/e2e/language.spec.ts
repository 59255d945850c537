import type { Browser, Page } from '@playwright/test'
import { englishOn } from './english'
import { sessionOf } from './people'
import { expect, fitsTheWindow, scan, test } from './test'

const inSwedish = (page: Page) => expect(page.locator('html')).toHaveAttribute('lang', 'sv')
const inEnglish = (page: Page) => expect(page.locator('html')).toHaveAttribute('lang', 'en')

const anotherBrowser = (browser: Browser, baseURL: string | undefined) =>
  browser.newContext({ baseURL, locale: 'sv-SE', storageState: { cookies: [], origins: [] } })

test.describe('before anybody has signed in', () => {
  test.use({ storageState: { cookies: [], origins: [] }, locale: 'sv-SE' })

  test('the sign-in is English, and Swedish once that was chosen', async ({ page, browser, baseURL }) => {
    await page.goto('/login')
    await inEnglish(page)
    await page.getByRole('button', { name: 'Svenska' }).click()
    await expect(page.getByRole('button', { name: 'English' })).toBeVisible()
    await inSwedish(page)
    await scan(page)

    await page.locator('input[name="email"]').fill('ada@')
    await page.locator('input[name="email"]').press('Enter')
    await expect(page.getByText('Ange en giltig e-postadress')).toBeVisible()
    await expect(page.getByText('Ange lösenord')).toBeVisible()

    await page.reload()
    await expect(page.getByRole('button', { name: 'English' })).toBeVisible()
    const another = await (await anotherBrowser(browser, baseURL)).newPage()
    await another.goto('/login')
    await expect(another.getByRole('button', { name: 'Svenska' })).toBeVisible()
    await inEnglish(another)
    await another.context().close()

    await page.getByRole('button', { name: 'English' }).click()
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await inEnglish(page)
  })

  test.describe('on a network that breaks off', () => {
    test.use({ refusals: [0] })

    test('the page is said to be Swedish before anything of it is drawn', async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('language', 'sv'))
      await page.route('**/assets/*.js', route => route.abort('internetdisconnected'))
      await page.goto('/login', { waitUntil: 'commit' })
      await inSwedish(page)
    })

    test('a page without its Swedish texts is in English, and says so', async ({ page }) => {
      await page.addInitScript(() => localStorage.setItem('language', 'sv'))
      await page.route('**/assets/swedish-*.js', route => route.abort('internetdisconnected'))
      await page.goto('/login')
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
      await inEnglish(page)
    })
  })
})

test.describe('somebody who is signed in', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 1440, height: 900 } })

  const screens = ['/dashboard/nowhere']

  test('chooses Swedish in the settings, and reads it on every screen', async ({ page }) => {
    await page.goto('/dashboard/profile')
    await page.getByRole('radio', { name: 'Svenska' }).click()
    await expect(page.getByRole('button', { name: 'Färgläge' })).toBeVisible()
    await inSwedish(page)
    for (const screen of screens) {
      await page.goto(screen)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('main .skeleton')).toHaveCount(0)
      expect(await englishOn(page), screen).toEqual([])
      await fitsTheWindow(page)
    }

    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Visar 1 till /)).toBeVisible()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog')
    await form.locator('input[name="email"]').fill('ada@')
    await form.locator('input[name="name"]').press('Enter')
    await expect(form.getByText('Ange namn')).toBeVisible()
    await expect(form.getByText('Ange en giltig e-postadress')).toBeVisible()
    await scan(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Släng' }).click()
    await expect(form).toHaveCount(0)

    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'En sida, en åtgärd eller en post' })).toBeFocused()
    await page.keyboard.type('ny faktura')
    await expect(page.getByRole('option', { name: 'Ny faktura' })).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: /^Profilmeny för / }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect(page.getByRole('button', { name: 'Colour scheme' })).toBeVisible()
    await inEnglish(page)
  })
})

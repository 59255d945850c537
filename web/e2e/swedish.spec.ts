import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { create, post } from './api'
import { findEnglishTexts } from './english'
import { kinds } from './kinds'
import { expect, expectNoOverflow, test } from './test'

// This user has chosen no language, so the language of the device, here Swedish, applies.
test.use({ storageState: sessionOf('admin') })
test.beforeEach(({ page }) => page.addInitScript(() => localStorage.setItem('language', 'sv')))

/** Fails if the page has English texts, or is wider than its window. */
async function expectSwedish(page: Page) {
  expect(await findEnglishTexts(page), page.url()).toEqual([])
  await expectNoOverflow(page)
}

async function open(page: Page, screen: string) {
  await page.goto(`/dashboard${screen}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('main .skeleton')).toHaveCount(0)
  await expectSwedish(page)
}

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

for (const [width, height] of [
  [360, 740],
  [1440, 900],
] as const) {
  test.describe(`on a screen ${width} pixels wide`, () => {
    test.use({ viewport: { width, height } })

    test('pages of records and their dialogs are in Swedish', async ({ page }) => {
      await open(page, '')
      await button(page, 'Visa som tabell: Kunder per avtal').click()
      await expect(page.getByRole('cell').first()).toBeVisible()
      await expectSwedish(page)

      await open(page, '/customers')
      if (width < 768) {
        await button(page, /^Åtgärder för /)
          .first()
          .click()
        await expectSwedish(page)
        await page.getByRole('menuitem', { name: /^Redigera / }).click()
      } else {
        await page.locator('main section tbody [aria-expanded="false"]').first().click()
        await expect(page.getByText('Kundnummer')).toBeVisible()
        await expectSwedish(page)
        await button(page, 'Redigera kund').click()
      }
      await dialog(page).locator('input[name="name"]').fill('')
      await button(page, 'Spara ändringar').click()
      await expect(dialog(page).getByText('Ange namnet.')).toBeVisible()
      await expectSwedish(page)
      await open(page, '/customers?search=zzzz&type=Private&from=2026-01-01')
      await expect(page.getByText('Typ: Privatperson')).toBeVisible()
      if (width < 768) {
        await button(page, 'Filtrera och sortera').click()
        await expectSwedish(page)
        await button(page, 'Typ och datum…').click()
      } else await button(page, /^Filter/).click()
      await expect(dialog(page).getByRole('button', { name: 'Filtrera', exact: true })).toBeVisible()
      await expectSwedish(page)

      await open(page, '/contacts/duplicates')
      await open(page, '/trash')
      await open(page, '/privacy')
      await open(page, '/history?period=custom')

      await open(page, '/invoices')
      if (width < 768)
        await button(page, /^Åtgärder för /)
          .first()
          .click()
      await page
        .getByLabel(/^Visa fakturan till /)
        .first()
        .click()
      await expect(dialog(page).getByText('Projektpris')).toBeVisible()
      await expectSwedish(page)
      for (const kind of kinds) {
        await open(page, `/${kind}`)
        await page.locator('main section :is(tbody, li)').getByRole('link').first().click()
        await expect(page.getByText('Systemuppgifter')).toBeVisible()
        await expectSwedish(page)
        await page.goBack()
        await page.locator('main [aria-keyshortcuts="n"]').click()
        // An empty agreement is valid.
        if (kind === 'agreements') await page.getByRole('combobox', { name: 'Kund' }).fill('Någon')
        await dialog(page).locator('[type="submit"]').click()
        await expect(dialog(page).locator('[aria-invalid="true"]').first()).toBeVisible()
        await expectSwedish(page)
      }

      await open(page, '/contacts')
      if (width < 768)
        await button(page, /^Åtgärder för /)
          .first()
          .click()
      await page
        .getByLabel(/^Ta bort /)
        .first()
        .click()
      await expect(page.getByText('Vill du ta bort kontakten?')).toBeVisible()
      await expectSwedish(page)
    })

    test('the import wizard is in Swedish', async ({ page }) => {
      const people = Array.from({ length: 20 }, (_, row) => {
        const email = row % 5 === 0 ? 'trasig' : `kund${width}-${row % 18}@exempel.example`
        return `Person ${row};${email};070-123 45 ${row + 10};Malmö`
      })
      const csv = ['Namn;E-post;Telefon;', ...people, 'Extra;extra@exempel.example;1;2;3;4'].join('\r\n')
      await open(page, '/contacts/imports/new')
      await page.getByLabel('Fil med kontakter').setInputFiles({
        name: 'kunder.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(csv),
      })
      await expect(page.getByRole('combobox', { name: 'Avgränsare' })).toHaveText('Semikolon')
      await expectSwedish(page)
      await button(page, 'Nästa').click()
      await expect(page.getByText('Stämmer med rubriken ”E-post”')).toBeVisible()
      await expect(page.getByRole('combobox', { name: 'Fält för ”Kolumn 4”' })).toBeVisible()
      await expect(page.getByText('5 problem på 5 rader')).toBeVisible()
      await expect(page.getByText('Ange en giltig e-postadress.').first()).toBeVisible()
      await expectSwedish(page)

      await button(page, 'Rätta ”trasig” på rad 2, E-post').click()
      await expect(button(page, 'Rätta alla 4 likadana celler')).toBeVisible()
      await expectSwedish(page)
      await page.getByLabel('Nytt värde på rad 2, E-post').fill('hel@exempel.example')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText('1 problem på 1 rad')).toBeVisible()
      await button(page, 'Utelämna rad 22').click()
      const prospect = page.getByText('20 importeras, 1 importeras inte', { exact: true })
      await expect(prospect).toBeVisible()
      await button(page, '1 rättelse, 1 rad utelämnad').click()
      const left = 'Utelämnad: Den här raden har 2 värden mer än filen har kolumner'
      await expect(dialog(page).getByText(left)).toBeVisible()
      await expect(dialog(page).getByText('4 celler i E-post')).toBeVisible()
      await expectSwedish(page)
      await page.keyboard.press('Escape')
      await button(page, 'Visa dubbletterna').click()
      await expect(
        dialog(page)
          .getByText(/^Rad \d+ upprepar rad 2$/)
          .first(),
      ).toBeVisible()
      await expectSwedish(page)
      await page.keyboard.press('Escape')

      await expect(prospect).toBeVisible()
      await button(page, 'Importera kontakter').click()
      await expect(page.getByText('Importen är klar')).toBeVisible({ timeout: 30_000 })
      await expectSwedish(page)
      await open(page, '/contacts/imports')
      if (width < 768) {
        await button(page, 'Åtgärder för kunder.csv').first().click()
        await expectSwedish(page)
      }
      await page.getByLabel('Visa kontakterna från kunder.csv').first().click()
      await expect(page.getByText('Från kunder.csv')).toBeVisible()
      await expectSwedish(page)
    })
  })
}

test('what an erasure has left is a Swedish word', async ({ page }) => {
  await open(page, '')
  const email = `${crypto.randomUUID()}@mail.example`
  const { _id } = await create<{ _id: string }>(page, '/api/contacts', { name: 'Ada', email })
  await post(page, '/api/privacy/erase', { email }, 200)
  await open(page, `/contacts/${_id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Raderad' })).toBeVisible()
})

import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { expect, test } from './test'

/** Returns the brightness (0 to 255) at the top of the window in each frame that it shows while `doIt` runs. */
async function brightnessDuring(page: Page, doIt: () => Promise<unknown>): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  const frames: string[] = []
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push(data)
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'png' })
  await doIt()
  await session.send('Page.stopScreencast')
  // The frames are decoded in another page, which has no content security policy.
  const eye = await page.context().newPage()
  const brightness = await eye.evaluate(
    pictures =>
      Promise.all(
        pictures.map(async data => {
          const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0))
          const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          canvas?.drawImage(bitmap, 0, 0)
          return canvas?.getImageData(bitmap.width / 2, 4, 1, 1).data[1] ?? 255
        }),
      ),
    frames,
  )
  await eye.close()
  return brightness
}

test('dark mode shows no white frame, even if the style sheet loads late', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/login')
  await page.evaluate(() => localStorage.setItem('colorScheme', 'dark'))
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  const late: string[] = []
  await page.route(/\.css$/, async route => {
    late.push(route.request().url())
    await new Promise(done => setTimeout(done, 400))
    await route.continue()
  })
  const brightness = await brightnessDuring(page, async () => {
    await page.reload()
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  })
  expect(late).not.toHaveLength(0)
  expect(brightness).not.toHaveLength(0)
  expect(Math.max(...brightness)).toBeLessThan(60)
})

test.describe('on paper', () => {
  test.use({ storageState: sessionOf('admin'), colorScheme: 'dark' })

  test('a list is printed dark on white, with no text cut off and no controls except the column headers', async ({
    page,
  }) => {
    await page.goto('/dashboard/contacts')
    const table = page.getByRole('table')
    await expect(table).toBeVisible()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('searchbox')).toBeHidden()
    // Except the table's column headers, which are buttons, too.
    await expect(page.locator('button:not(thead *)').filter({ visible: true })).toHaveCount(0)
    await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
    await expect(page.locator('body')).toHaveCSS('color', 'rgb(20, 23, 29)')
    const cut = await table
      .locator('tbody :is(td, th)')
      .evaluateAll(cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).length)
    expect(cut).toBe(0)
  })

  test('prints an open invoice without the list behind it', async ({ page }) => {
    await page.goto('/dashboard/invoices')
    await page
      .getByRole('link', { name: /^View invoice for/ })
      .first()
      .click()
    await expect(page.getByRole('dialog', { name: 'Invoice Details' })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('dialog', { name: 'Invoice Details' })).toBeVisible()
    await expect(page.locator('#root')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Close dialog' })).toBeHidden()
  })
})

test.describe('in the colours of the system', () => {
  test.use({ storageState: sessionOf('admin') })

  test('the highlighted menu item is visible in forced-colors mode', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /^Profile menu of/ }).focus()
    await page.keyboard.press('ArrowDown')
    const entries = page.getByRole('menuitem')
    await expect(entries.first()).toBeFocused()
    const ground = await entries.first().evaluate(entry => {
      const highlight = document.createElement('div')
      highlight.style.backgroundColor = 'Highlight'
      document.body.append(highlight)
      return [entry, highlight].map(element => getComputedStyle(element).backgroundColor)
    })
    expect(ground[0]).toBe(ground[1])
  })
})

import type { Page } from '@playwright/test'
import { chromium } from '../chromium'
import { sessionOf } from './accounts'
import { create, createCompany, createSignedAgreement } from './api'
import { devices, expect, expectNoOverflow, test, uniqueLetters } from './test'

const phone = devices['a phone']

// A size of the browser's settings, which also changes the rem of media queries, unlike the styles of the page.
test.use({
  launchOptions: { ...chromium, args: [...chromium.args, '--blink-settings=defaultFontSize=32'] },
  storageState: sessionOf('admin'),
  ...phone,
})

/** Returns the part of the window's height that bars cover once the page is scrolled. */
const measureBars = (page: Page) =>
  page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight / 3)
    const shown = Array.from({ length: innerHeight }, (_, y) => document.elementFromPoint(innerWidth / 2, y))
    const bars = shown.filter(element => element?.closest('header:not(main *), .bottom-bar, .tab-bar'))
    return bars.length / innerHeight
  })

test('on a phone with twice the text size, bars cover little of an agreement, and nothing is cut', async ({
  page,
}) => {
  await page.goto('/dashboard/profile')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const letters = uniqueLetters().toUpperCase()
  const { vehicle_id } = await create<{ vehicle_id: string }>(page, '/api/vehicles', {
    registration_number: `Q${letters}`,
    make: 'Volvo',
    model: 'V60',
    asking_price: '189900',
  })
  const customer = await createCompany(page, `Bil ${letters} AB`)
  const number = await createSignedAgreement(page, customer, vehicle_id)
  await page.goto(`/dashboard/agreements?search=${number}`)
  await page.getByRole('link', { name: number }).first().tap()
  await expect(page.getByRole('button', { name: 'Mark as delivered' })).toBeVisible()
  const { width, height } = phone.viewport
  for (const viewport of [phone.viewport, { width: height, height: width }]) {
    await page.setViewportSize(viewport)
    await expectNoOverflow(page)
    await expect.poll(() => measureBars(page)).toBeLessThan(0.2)
    const surplus = page
      .locator('.card')
      .evaluateAll(cards => cards.map(card => card.scrollWidth - card.clientWidth))
    expect(Math.max(...(await surplus)), 'the width that is cut from a card').toBe(0)
  }
})

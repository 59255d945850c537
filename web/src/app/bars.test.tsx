import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { agreement, openAgreement } from '~/test/agreements'

const header = page.getByRole('banner')
const step = page.getByRole('button', { name: 'Mark as signed' })

/** Opens an agreement in a window of this size, and scrolls down. */
async function openScrolled(width: number, height: number) {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(width, height)
  openAgreement(agreement(1, { state: 'Offered' }))
  await expect.element(step).toBeVisible()
  scrollTo(0, 300)
}

// As large as 360 × 740 px and 740 × 360 px are with twice the text size, and 1,280 × 1,024 px with four times that size.
test.each([
  [180, 370],
  [370, 180],
  [320, 256],
])('at %i × %i px, the header and the buttons of a page scroll with it', async (width, height) => {
  await openScrolled(width, height)
  await expect.element(header).not.toBeInViewport()
  await expect.element(step).not.toBeInViewport()
  await expect.element(page.getByRole('navigation', { name: 'Tabs' })).toBeInViewport({ ratio: 1 })
})

test('while the keyboard of a phone is open, the header and the buttons of a page stay in view', async () => {
  await openScrolled(360, 400)
  await expect.element(header).toBeInViewport({ ratio: 1 })
  await expect.element(step).toBeInViewport({ ratio: 1 })
})

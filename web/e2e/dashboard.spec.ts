import { sessionOf } from './accounts'
import { checkAccessibility, checkLayout, expect, test } from './test'

const charts = [
  'Vehicles sold by month',
  'Invoices by month',
  'New customers and contacts by month',
  'Customers by agreement',
]

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin') })

  for (const width of [360, 768, 1440]) {
    test(`the dashboard is accessible and fits ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/dashboard/admin')
      await expect(page).toHaveTitle('Dashboard · Forecourt')
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
      await expect(page.getByText('Manage your dashboard')).toBeVisible()
      await expect(page.getByRole('link', { name: /^Total Invoices [\d,]+$/ })).toBeVisible()
      for (const name of charts) {
        await expect(page.getByRole('region', { name }).locator('[data-bar]').first()).toBeVisible()
      }
      for (const name of ['Stock by age', 'Due', 'Since yesterday', 'Latest imports']) {
        await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
      }
      await checkLayout(page)
    })
  }

  test('shows a chart as a table by keyboard and opens a list', async ({ page }) => {
    await page.goto('/dashboard')
    const chart = page.getByRole('region', { name: 'Invoices by month' })
    await expect(chart.locator('[data-bar]')).toHaveCount(12)
    await chart.getByRole('button', { name: 'Invoices', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(chart.getByRole('button', { name: 'Invoices', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(chart.getByRole('table').getByRole('row')).toHaveCount(13)
    await expect(chart.getByRole('button', { name: /^Show as chart/ })).toBeFocused()
    await checkAccessibility(page)
    await page.getByRole('link', { name: /^Total Invoices/ }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard/invoices')
    await page.goBack()
    await expect(page.getByRole('link', { name: /^Total Invoices/ })).toBeVisible()
  })

  test('nothing on the dashboard moves while the figures load', async ({ page }) => {
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto('/dashboard')
    await expect(page.locator('[data-bar]').first()).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const shifted = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0),
    )
    expect(shifted).toBeLessThan(0.02)
  })

  test('loads the chart code only with the first chart', async ({ page }) => {
    const fetched: string[] = []
    page.on('request', request => fetched.push(new URL(request.url()).pathname))
    await page.goto('/dashboard/contacts')
    await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible()
    expect(fetched.filter(path => /Chart-/.test(path))).toEqual([])
    await page.goto('/dashboard')
    await expect(page.locator('[data-bar]').first()).toBeVisible()
    expect(fetched.filter(path => /Chart-/.test(path))).toHaveLength(1)
  })
})

test.describe('a clerk', () => {
  test.use({ storageState: sessionOf('clerk') })

  test('sees only the figures that the role can read', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('link', { name: /^Total contacts/ })).toBeVisible()
    await expect(page.getByRole('link', { name: /^Total customers/ })).toBeVisible()
    await expect(page.getByText('Total Invoices')).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Invoices by month' })).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Latest imports' })).toHaveCount(0)
    await checkAccessibility(page)
  })
})

test.describe('the administrator of the platform', () => {
  test.use({ storageState: sessionOf('platform') })

  for (const width of [360, 768, 1440]) {
    test(`sees the whole platform on ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/dashboard')
      const corporations = page.getByRole('region', { name: 'Corporations', exact: true })
      await expect(corporations.getByRole('link', { name: 'Nordbil AB' })).toBeVisible()
      await expect(page.getByRole('region', { name: 'This installation' })).toContainText('SQLite')
      await expect(page.getByRole('region', { name: 'Running imports' })).toBeVisible()
      await checkLayout(page)
      await corporations.getByRole('link', { name: 'Nordbil AB' }).click()
      await expect(page).toHaveURL(/corporations\/[^/]+\/users$/)
    })
  }
})

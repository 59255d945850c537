import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import budget from './budget.json' with { type: 'json' }
import { expect, test } from './test'

type Piece = { path: string; bytes: number }

/** Returns the app's files that a first visit to this URL fetches, with their compressed sizes in bytes. */
async function firstVisit(page: Page, address: string): Promise<Piece[]> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The stream of events stays open, so the network is never idle.
  await page.waitForFunction(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return performance.now() - Math.max(...files.map(file => file.responseEnd)) > 1_000
  })
  return page.evaluate(() =>
    (
      [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ] as PerformanceResourceTiming[]
    )
      .map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, bytes: encodedBodySize }))
      .filter(({ path }) => !path.startsWith('/api/')),
  )
}

function expectWithinBudget(pieces: Piece[], limit: number, what: string) {
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
  const kB = (number: number) => `${Math.round(number / 1000)} kB`
  const largest = pieces
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, 8)
    .map(piece => `\n  ${kB(piece.bytes)} ${piece.path}`)
  process.stdout.write(
    `${what}: ${kB(bytes)} in ${pieces.length} files, limit ${kB(limit)}${largest.join('')}\n`,
  )
  expect(bytes, what).toBeLessThanOrEqual(limit)
}

test('the login page stays within its budget and loads no strength meter', async ({ page, request }) => {
  const pieces = await firstVisit(page, '/login')
  expect(pieces.filter(({ path }) => path.includes('/strength'))).toEqual([])
  expectWithinBudget(pieces, budget.login, 'sign-in')
  const rules = pieces.filter(({ path }) => path.endsWith('.wasm'))
  const packed = await Promise.all(
    rules.map(async ({ path }) => ({
      path,
      bytes: gzipSync(await (await request.get(path)).body(), { level: 9 }).length,
    })),
  )
  expectWithinBudget(packed, budget.wasm, 'wasm, by gzip')
  // The HTML must name every script, because the browser requests others only after the file that imports them.
  const html = await (await request.get('/login')).text()
  const programs = pieces.filter(({ path }) => /\.(?:js|wasm)$/.test(path))
  expect(programs.filter(({ path }) => !html.includes(path))).toEqual([])
})

test.describe('a signed-in user', () => {
  test.use({ storageState: sessionOf('admin') })

  test('a first visit to the dashboard stays within its budget', async ({ page }) => {
    expectWithinBudget(await firstVisit(page, '/dashboard'), budget.dashboard, 'dashboard')
  })
})

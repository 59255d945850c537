import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as browsers, expect, test } from '@playwright/test'
import { chromium } from '../chromium'
import { accounts, signIn } from '../e2e/accounts'

/** The minimum Lighthouse score (of 100) of each screen in each category. */
const GOAL = 95
/**
 * Number of visits per screen. The median of their scores counts, because a single score depends on the load of the
 * machine.
 */
const RUNS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

type Screen = { path: string; email?: string; isFirstRecord?: boolean }
/** The screens, and with `isFirstRecord` the page of the first record of a list. */
const screens: Screen[] = [
  { path: '/login' },
  { path: '/dashboard/customers', email: accounts.admin },
  { path: '/dashboard/contacts/imports/new', email: accounts.admin },
  { path: '/dashboard/vehicles', email: accounts.admin, isFirstRecord: true },
]

type Device = 'desktop' | 'mobile'
type Finding = { id: string; title: string; score: number | null; displayValue?: string }
type Result = {
  lhr: {
    runtimeError?: { message: string }
    environment: { benchmarkIndex: number }
    categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
    audits: Record<string, Finding>
  }
}
type Lighthouse = (url: string, flags: object, config?: object) => Promise<Result | undefined>

/**
 * Imports a module of Lighthouse from the folder `lighthouse`, whose own package.json keeps it out of the app's
 * packages.
 */
const from = (file: string) => import(join(import.meta.dirname, 'lighthouse/node_modules/lighthouse', file))

const freePort = () =>
  new Promise<number>(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Visits a screen in a new browser, and returns Lighthouse's scores and its failed audits. */
async function visit(baseURL: string | undefined, { path, email, isFirstRecord }: Screen, device: Device) {
  const lighthouse: Lighthouse = (await from('core/index.js')).default
  const desktop: object = (await from('core/config/desktop-config.js')).default
  const port = await freePort()
  const home = mkdtempSync(join(tmpdir(), 'forecourt-lighthouse-'))
  const args = [...chromium.args, `--remote-debugging-port=${port}`]
  const browser = await browsers.launchPersistentContext(home, { ...chromium, args, baseURL })
  let url = `${baseURL}${path}`
  if (email) {
    const page = await browser.newPage()
    await page.goto('/login')
    await signIn(page, email)
    if (isFirstRecord) {
      await page.goto(path)
      await page.getByRole('main').getByRole('region').getByRole('link').first().click()
      await page.waitForURL(`**${path}/*`)
      url = page.url()
    }
    await page.close()
  }
  const flags = {
    port,
    onlyCategories: CATEGORIES,
    disableStorageReset: true,
    // Lighthouse waits until no request is open, but a page's stream of events never ends.
    maxWaitForLoad: 15_000,
    logLevel: 'error',
  }
  const result = await lighthouse(url, flags, device === 'desktop' ? desktop : undefined)
  await browser.close()
  expect(result?.lhr.runtimeError).toBeUndefined()
  const { categories = {}, audits = {} } = result?.lhr ?? {}
  const scores = CATEGORIES.map(name => [name, Math.round((categories[name]?.score ?? 0) * 100)] as const)
  const weak = CATEGORIES.flatMap(name => categories[name]?.auditRefs ?? [])
    .map(({ id, weight }) => ({ weight, ...(audits[id] ?? { score: 1, title: id, displayValue: '' }) }))
    .filter(({ score, weight }) => weight > 0 && score !== null && score < 0.9)
  return { scores, weak, speed: Math.round(result?.lhr.environment.benchmarkIndex ?? 0) }
}

for (const screen of screens) {
  for (const device of ['desktop', 'mobile'] as const) {
    const title = `${screen.path}${screen.isFirstRecord ? ', first record,' : ''} on a ${device} device`
    test(title, async ({ baseURL }) => {
      test.setTimeout(300_000)
      const visits: Awaited<ReturnType<typeof visit>>[] = []
      for (let run = 0; run < RUNS; run += 1) visits.push(await visit(baseURL, screen, device))
      const middle = (of: readonly number[]) => of.toSorted((a, b) => a - b)[(RUNS - 1) / 2] ?? 0
      // The CPU is slowed by a fixed factor, so only results of equally fast machines can be compared.
      process.stdout.write(`${title} (benchmark index ${visits.map(({ speed }) => speed).join(', ')})\n`)
      for (const [at, name] of CATEGORIES.entries()) {
        const scores = visits.map(({ scores }) => scores[at]?.[1] ?? 0)
        process.stdout.write(`  ${name.padEnd(16)}${middle(scores)} (${scores.join(', ')})\n`)
        expect.soft(middle(scores), name).toBeGreaterThanOrEqual(GOAL)
      }
      for (const { title, displayValue = '' } of visits.flatMap(({ weak }) => weak))
        process.stdout.write(`    ${title} ${displayValue}\n`)
    })
  }
}

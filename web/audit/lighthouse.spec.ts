import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as browsers, expect, test } from '@playwright/test'
import { chromium } from '../chromium'
import { people, signIn } from '../e2e/people'

/** What each screen is to reach in each of the four. */
const GOAL = 95
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

const screens = [
  { path: '/login' },
  { path: '/dashboard/customers', email: people.admin },
  { path: '/dashboard/contacts/imports/new', email: people.admin },
]

type Finding = { id: string; title: string; score: number | null; displayValue?: string }
type Result = {
  lhr: {
    runtimeError?: { message: string }
    categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
    audits: Record<string, Finding>
  }
}
type Lighthouse = (url: string, flags: object, config?: object) => Promise<Result | undefined>

/** It has packages of its own, so that the app's stay few. */
const from = (file: string) => import(join(import.meta.dirname, 'lighthouse/node_modules/lighthouse', file))

const freePort = () =>
  new Promise<number>(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

for (const { path, email } of screens) {
  for (const device of ['desktop', 'mobile'] as const) {
    test(`${path} on a ${device} device`, async ({ baseURL }) => {
      test.setTimeout(180_000)
      const lighthouse: Lighthouse = (await from('core/index.js')).default
      const desktop: object = (await from('core/config/desktop-config.js')).default
      const port = await freePort()
      const home = mkdtempSync(join(tmpdir(), 'forecourt-lighthouse-'))
      const args = [...chromium.args, `--remote-debugging-port=${port}`]
      const browser = await browsers.launchPersistentContext(home, { ...chromium, args, baseURL })
      if (email) {
        const page = await browser.newPage()
        await page.goto('/login')
        await signIn(page, email)
        await page.close()
      }
      const flags = { port, onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: 'error' }
      const result = await lighthouse(`${baseURL}${path}`, flags, device === 'desktop' ? desktop : undefined)
      await browser.close()
      expect(result?.lhr.runtimeError).toBeUndefined()
      const { categories = {}, audits = {} } = result?.lhr ?? {}
      const scores = CATEGORIES.map(name => [name, Math.round((categories[name]?.score ?? 0) * 100)] as const)
      process.stdout.write(`${path} on a ${device} device\n`)
      for (const [name, score] of scores) process.stdout.write(`  ${name.padEnd(16)}${score}\n`)
      for (const { id, weight } of CATEGORIES.flatMap(name => categories[name]?.auditRefs ?? [])) {
        const { score, title, displayValue = '' } = audits[id] ?? { score: 1, title: id }
        if (weight > 0 && score !== null && score < 0.9)
          process.stdout.write(`    ${title} ${displayValue}\n`)
      }
      for (const [name, score] of scores) expect.soft(score, name).toBeGreaterThanOrEqual(GOAL)
    })
  }
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { people, signIn } from '../e2e/people'
import { faultsIn, overflow, violations } from '../e2e/test'
import { corporationStates } from './corporation'
import { doorStates } from './doors'
import { importStates } from './importing'
import { platformStates } from './platform'
import { clerkStates, recordStates } from './records'
import { RESULTS, type Seen } from './results'
import { type State, settled } from './steps'

/** Window sizes. The last one is a desktop window zoomed to 200 %, which is only measured. */
const all = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 640, height: 400, isZoomed: true },
]
/** `WIDTHS=360,1440` limits the run to these widths. */
const wanted = process.env.WIDTHS?.split(',').map(Number)
const windows = all.filter(({ width }) => !wanted || wanted.includes(width))

const walks: { who: string; email?: string; states: State[] }[] = [
  { who: 'nobody', states: doorStates },
  { who: 'administrator', email: people.admin, states: recordStates },
  { who: 'administrator of an empty corporation', email: people.kestrel, states: corporationStates },
  { who: 'administrator who imports', email: people.weser, states: importStates },
  { who: 'clerk', email: people.clerk, states: clerkStates },
  { who: 'platform administrator', email: people.platform, states: platformStates },
]

/** Response statuses that some states provoke, which are therefore not reported. */
const REFUSALS = [0, 400, 401, 403, 404, 503]

/** The cumulative layout shift from which a state is reported. */
const SHIFT = 0.01

for (const { who, email, states } of walks) {
  test(`every screen of ${who}`, async ({ browser, baseURL }) => {
    test.setTimeout(0)
    const context = await browser.newContext({ baseURL, locale: 'en-GB', serviceWorkers: 'block' })
    context.setDefaultTimeout(15_000)
    context.setDefaultNavigationTimeout(15_000)
    await context.addInitScript(watchShifts)
    const faults = faultsIn(context, REFUSALS)
    const page = await freshPage(context)
    if (email) {
      await page.goto('/login')
      await signIn(page, email)
    }
    await page.close()
    mkdirSync(RESULTS, { recursive: true })
    for (const { isZoomed = false, ...window } of windows) {
      const seen: Seen[] = []
      for (const state of states) {
        const page = await freshPage(context)
        await page.setViewportSize(window)
        faults.length = 0
        const at = { who, state: state.name, width: window.width, isZoomed }
        seen.push(await test.step(`${state.name} at ${window.width}`, () => look(page, at, state, faults)))
        await context.setOffline(false)
        await page.close()
        writeFileSync(join(RESULTS, `${who.replaceAll(' ', '-')}-${window.width}.json`), JSON.stringify(seen))
      }
    }
    await context.close()
  })
}

/** Opens a new page for each state, so that none depends on the state before it. */
async function freshPage(context: BrowserContext) {
  const page = await context.newPage()
  // Accept the dialog that asks whether to discard unsaved input.
  page.on('dialog', question => void question.accept())
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return page
}

/** Sums up the layout shifts that no user input caused. */
function watchShifts() {
  const counted = window as unknown as { shifted: number }
  counted.shifted = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[])
      if (!entry.hadRecentInput) counted.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

async function look(
  page: Page,
  at: Pick<Seen, 'who' | 'state' | 'width' | 'isZoomed'>,
  { steps }: State,
  faults: string[],
): Promise<Seen> {
  const found: string[] = []
  const seen: Seen = { ...at, title: '', shift: 0, found, pictures: {} }
  try {
    for (const step of steps) await step(page)
    await settled(page)
    await measure(page, seen)
    if (!at.isZoomed) await photograph(page, seen)
  } catch (error) {
    found.push(`not reached: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
  found.push(...faults.map(text => `console: ${text}`))
  return seen
}

async function measure(page: Page, seen: Seen) {
  seen.title = await page.title()
  if (!/^.+ · Forecourt$/.test(seen.title)) seen.found.push(`title: ${seen.title}`)
  const h1 = await page.locator('h1').count()
  if (h1 !== 1) seen.found.push(`h1: ${h1}`)
  const over = await overflow(page)
  if (over > 0) seen.found.push(`overflow: ${over} px`)
  seen.shift = await page.evaluate(() => (window as unknown as { shifted: number }).shifted)
  if (seen.shift > SHIFT) seen.found.push(`shift: ${seen.shift.toFixed(3)}`)
}

/**
 * Takes a screenshot and runs axe in both colour schemes. Only contrast depends on the scheme, so the dark
 * one is checked for nothing else.
 */
async function photograph(page: Page, seen: Seen) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mode', colorScheme)
    await settled(page)
    const name = `${seen.who}-${seen.state}-${seen.width}-${colorScheme}`.replaceAll(/\W+/g, '-')
    seen.pictures[colorScheme] = join(RESULTS, `${name}.png`)
    await page.screenshot({ path: seen.pictures[colorScheme] })
    const rule = colorScheme === 'dark' ? 'color-contrast' : undefined
    for (const text of await steadyViolations(page, rule)) seen.found.push(`axe in ${colorScheme}: ${text}`)
  }
}

/** Returns the violations that persist. A toast has too little contrast while it fades. */
async function steadyViolations(page: Page, rule?: string): Promise<string[]> {
  const found = await violations(page, rule)
  if (found.length === 0) return found
  await page.waitForTimeout(1_000)
  return violations(page, rule)
}

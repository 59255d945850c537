import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { accounts, signIn } from '../e2e/accounts'
import { findViolations, measureOverflow, recordConsoleErrors } from '../e2e/test'
import { corporationStates } from './corporation'
import { importStates } from './importing'
import { platformStates } from './platform'
import { clerkStates, recordStates } from './records'
import { RESULTS, type StateResult } from './results'
import { signedOutStates } from './signedOut'
import { type State, waitForAnimations } from './steps'

/** The window sizes. The last is a desktop window zoomed to 200 %, of which no screenshots are taken. */
const all = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 640, height: 400, isZoomed: true },
]
/** The window widths to run. The environment variable `WIDTHS=360,1440` limits the run to these; by default all. */
const wanted = process.env.WIDTHS?.split(',').map(Number)
const windows = all.filter(({ width }) => !wanted || wanted.includes(width))
/** The states to run. The environment variable `STATES=^Users` limits the run to those that match; by default all. */
const wantedStates = new RegExp(process.env.STATES ?? '')

const walks: { who: string; email?: string; states: State[] }[] = [
  { who: 'signed-out user', states: signedOutStates },
  { who: 'administrator', email: accounts.admin, states: recordStates },
  { who: 'administrator of a small corporation', email: accounts.kestrel, states: corporationStates },
  { who: 'administrator who imports', email: accounts.weser, states: importStates },
  { who: 'clerk', email: accounts.clerk, states: clerkStates },
  { who: 'platform administrator', email: accounts.platform, states: platformStates },
]

/** Response statuses (0: no network) that are not reported, because some states cause them on purpose. */
const EXPECTED_STATUSES = [0, 400, 401, 403, 404, 503]

/** A state is reported if its cumulative layout shift is greater. */
const SHIFT = 0.005

for (const { who, email, states } of walks) {
  test(`every screen of ${who}`, async ({ browser, baseURL }) => {
    test.setTimeout(0)
    const context = await browser.newContext({ baseURL, locale: 'en-GB', serviceWorkers: 'block' })
    context.setDefaultTimeout(15_000)
    context.setDefaultNavigationTimeout(15_000)
    await context.addInitScript(watchShifts)
    const errors = recordConsoleErrors(context, EXPECTED_STATUSES)
    const page = await freshPage(context)
    if (email) {
      await page.goto('/login')
      await signIn(page, email)
    }
    await page.close()
    mkdirSync(RESULTS, { recursive: true })
    for (const { isZoomed = false, ...window } of windows) {
      const seen: StateResult[] = []
      for (const state of states) {
        if ((state.isOnlyWide && window.width < 1024) || !wantedStates.test(state.name)) continue
        const page = await freshPage(context)
        await page.setViewportSize(window)
        errors.length = 0
        const at = { who, state: state.name, width: window.width, isZoomed }
        seen.push(
          await test.step(`${state.name} at ${window.width}`, () => visitState(page, at, state, errors)),
        )
        await context.setOffline(false)
        await page.close()
        writeFileSync(join(RESULTS, `${who.replaceAll(' ', '-')}-${window.width}.json`), JSON.stringify(seen))
      }
    }
    await context.close()
  })
}

/** Opens a new page, to be used for one state, so that no state depends on the state before it. */
async function freshPage(context: BrowserContext) {
  const page = await context.newPage()
  // Accepts the browser's question whether to discard unsaved input.
  page.on('dialog', question => void question.accept())
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return page
}

/** Runs in the page: adds up the layout shifts that no user input has caused. */
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

async function visitState(
  page: Page,
  at: Pick<StateResult, 'who' | 'state' | 'width' | 'isZoomed'>,
  { steps }: State,
  errors: string[],
): Promise<StateResult> {
  const findings: string[] = []
  const seen: StateResult = { ...at, title: '', shift: 0, findings, pictures: {} }
  try {
    for (const step of steps) await step(page)
    await waitForAnimations(page)
    await measure(page, seen)
    if (!at.isZoomed) await takeScreenshots(page, seen)
  } catch (error) {
    findings.push(`not reached: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
  findings.push(...errors.map(text => `console: ${text}`))
  return seen
}

async function measure(page: Page, seen: StateResult) {
  seen.title = await page.title()
  if (!/^.+ · Forecourt$/.test(seen.title)) seen.findings.push(`title: ${seen.title}`)
  const h1 = await page.locator('h1').count()
  if (h1 !== 1) seen.findings.push(`h1: ${h1}`)
  const over = await measureOverflow(page)
  if (over > 0) seen.findings.push(`overflow: ${over} px`)
  seen.shift = await page.evaluate(() => (window as unknown as { shifted: number }).shifted)
  if (seen.shift > SHIFT) seen.findings.push(`shift: ${seen.shift.toFixed(3)}`)
}

/**
 * Takes a screenshot and runs axe in both colour schemes. In the dark scheme axe checks only the contrast, because
 * nothing else depends on the scheme.
 */
async function takeScreenshots(page: Page, seen: StateResult) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mode', colorScheme)
    await waitForAnimations(page)
    const name = `${seen.who}-${seen.state}-${seen.width}-${colorScheme}`.replaceAll(/\W+/g, '-')
    seen.pictures[colorScheme] = join(RESULTS, `${name}.png`)
    await page.screenshot({ path: seen.pictures[colorScheme] })
    const rule = colorScheme === 'dark' ? 'color-contrast' : undefined
    for (const text of await steadyViolations(page, rule))
      seen.findings.push(`axe in ${colorScheme}: ${text}`)
  }
}

/** Returns the accessibility violations that persist, because a toast has too little contrast only while it fades. */
async function steadyViolations(page: Page, rule?: string): Promise<string[]> {
  const found = await findViolations(page, rule)
  if (found.length === 0) return found
  await page.waitForTimeout(1_000)
  return findViolations(page, rule)
}

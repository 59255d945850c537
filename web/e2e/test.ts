import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { renewSessions } from './sessions'

declare const window: Window & { axe: typeof axe }

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The devices for tests that run on a desktop and on a phone. */
export const devices = {
  'a desktop': { viewport: { width: 1440, height: 900 } },
  'a phone': { viewport: { width: 360, height: 740 }, hasTouch: true },
}

/** The sizes of a phone, a tablet and a desktop. */
export const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

/** Returns letters that no other test uses. */
export const uniqueLetters = () =>
  crypto
    .randomUUID()
    .slice(0, 8)
    .replace(/\d/g, digit => 'GHJKLMNPRS'[Number(digit)] ?? '')

type Options = {
  /** The error statuses of responses that a test expects (0: no network). Chromium logs each as an error. */
  expectedStatuses: number[]
}

/**
 * Starts to record console errors and warnings, also violations of the content security policy. Returns the list, which
 * grows.
 */
export function recordConsoleErrors(context: BrowserContext, expectedStatuses: number[]): string[] {
  const errors: string[] = []
  const isExpected = (text: string) =>
    // Playwright logs this message in all tests that block service workers.
    text === 'Service Worker registration blocked by Playwright' ||
    expectedStatuses.some(status =>
      status === 0
        ? /ERR_(?:INTERNET_DISCONNECTED|CONNECTION_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/.test(text)
        : text.includes(`the server responded with a status of ${status}`),
    )
  context.on('weberror', error => errors.push(error.error().stack ?? String(error.error())))
  context.on('console', message => {
    const bad = message.type() === 'error' || message.type() === 'warning'
    if (bad && !isExpected(message.text())) errors.push(message.text())
  })
  return errors
}

/**
 * Playwright's `test`, which renews the stored sessions, and fails on errors and warnings in the console, except for the
 * expected statuses.
 */
export const test = base.extend<Options & { renewedSessions: undefined; failOnConsoleErrors: undefined }>({
  expectedStatuses: [[], { option: true }],
  renewedSessions: [
    async ({ browser, baseURL, storageState }, use) => {
      await renewSessions(browser, baseURL, storageState)
      await use(undefined)
    },
    { auto: true },
  ],
  failOnConsoleErrors: [
    // The sessions are renewed before the context reads one.
    async ({ renewedSessions: _, context, expectedStatuses }, use) => {
      const errors = recordConsoleErrors(context, expectedStatuses)
      await use(undefined)
      expect(errors, 'errors and warnings in the console').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/**
 * Returns the accessibility violations that axe finds on the page, of one rule or of all rules (also `target-size`).
 */
export async function findViolations(page: Page, rule?: string): Promise<string[]> {
  // axe's script is half a megabyte, so it is loaded only once per page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async rule => {
    // Base UI's focus guards, which pass the focus on at once, are excluded, because axe doesn't always recognize them.
    const found = await window.axe.run(
      { exclude: ['[data-base-ui-focus-guard]'] },
      {
        resultTypes: ['violations'],
        ...(rule
          ? { runOnly: { type: 'rule', values: [rule] } }
          : { rules: { 'target-size': { enabled: true } } }),
      },
    )
    // A bar that stays in place may cover a part of a control, which is then too small a target, until it is scrolled.
    const covered = found.violations.find(({ id }) => id === 'target-size')?.nodes ?? []
    const others = found.violations.filter(({ id }) => id !== 'target-size')
    const small: typeof others = []
    for (const { target } of covered) {
      const control = document.querySelector(String(target[0])) ?? document.body
      control.scrollIntoView({ block: 'center' })
      const again = await window.axe.run(control, { runOnly: { type: 'rule', values: ['target-size'] } })
      small.push(...again.violations)
    }
    return [...others, ...small].map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join('\n')}`)
  }, rule)
}

/**
 * Checks the page with axe: all rules in the current colour scheme, then the contrast in the other scheme, in which the
 * page stays.
 */
export async function checkAccessibility(page: Page) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expectAccessible(page)
  const colorScheme = (await page.locator('html').getAttribute('data-mode')) === 'dark' ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme })
  // Waits in the page, because a pending `expect` would describe the whole page again and again, which is slow.
  await page.waitForFunction(mode => document.documentElement.dataset.mode === mode, colorScheme)
  await expectAccessible(page, 'color-contrast')
}

async function expectAccessible(page: Page, rule?: string) {
  // Repeated, because a toast has too little contrast while it fades, but real violations persist.
  await expect(async () => {
    expect(await findViolations(page, rule), rule ? 'axe in the other scheme' : 'axe').toEqual([])
  }).toPass({ intervals: [500, 1_000], timeout: 20_000 })
}

/** Returns by how many pixels the page is wider than its window; 0 if it fits. */
export const measureOverflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))

/** Fails if the page is wider than its window. */
export async function expectNoOverflow(page: Page) {
  // Polled, because components that depend on the width render again after the window was resized.
  await expect.poll(() => measureOverflow(page), 'the page scrolls sideways').toBe(0)
}

/** Checks that the page fits its window, and its accessibility. */
export async function checkLayout(page: Page) {
  await expectNoOverflow(page)
  await checkAccessibility(page)
}

/**
 * Returns the control of an action on a row of a list, by its accessible name. In a narrow window it is an item of the
 * row's menu, which this function opens.
 */
export async function rowAction(
  page: Page,
  record: string | RegExp,
  action: string | RegExp,
): Promise<Locator> {
  const name = typeof record === 'string' ? `Actions for ${record}` : record
  const menu = page.getByRole('button', { name }).first()
  const control = page.getByLabel(action).first()
  await expect(menu.or(control).first()).toBeVisible()
  if (await menu.isVisible()) await menu.click()
  return control
}

/**
 * Returns the control of an action of the page, by its accessible name. Deleting a record, and on a phone all less
 * important actions, are items of a menu, which this function opens.
 */
export async function pageAction(page: Page, name: string): Promise<Locator> {
  const menu = page.getByRole('button', { name: 'More actions' })
  const shown = page.getByRole('main').getByRole('button', { name, exact: true })
  const link = page.getByRole('main').getByRole('link', { name, exact: true })
  const item = page.getByRole('menuitem', { name, exact: true })
  await expect(menu.or(shown).or(link).first()).toBeVisible()
  if (!(await menu.isVisible())) return shown.or(link)
  await menu.click()
  return item
}

/** Presses Tab, at most `most` times, until `target` has the focus. */
export async function tabTo(page: Page, target: Locator, most = 80) {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < most; presses++) {
    if (await target.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target, 'reached by Tab').toBeFocused()
}

/** Holds back requests whose URL matches the pattern `calls`. Returns a function that sends them. */
export async function holdRequests(page: Page, calls: string) {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(calls, async route => {
    await held
    await route.continue()
  })
  return release
}

/** Confirms a question by keyboard, after checking that the focus is on the button that cancels. */
export async function confirmWithKeyboard(dialog: Locator, cancel = 'Cancel') {
  const { keyboard } = dialog.page()
  await expect(dialog.getByRole('button', { name: cancel })).toBeFocused()
  await keyboard.press('Shift+Tab')
  await keyboard.press('Enter')
}

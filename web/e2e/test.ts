import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

declare const window: Window & { axe: typeof axe }

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Options = {
  /** The refusals that a story wants to see, 0 for no network; Chromium writes each to the console. */
  refusals: number[]
}

/** Gathers every fault that a page shows to itself alone: errors, and breaches of the security policy. */
export function faultsIn(context: BrowserContext, refusals: number[]): string[] {
  const faults: string[] = []
  const isWanted = (text: string) =>
    // Said by Playwright, in every story that isn't about service workers.
    text === 'Service Worker registration blocked by Playwright' ||
    refusals.some(status =>
      status === 0
        ? /ERR_(?:INTERNET_DISCONNECTED|CONNECTION_\w+|EMPTY_RESPONSE)/.test(text)
        : text.includes(`the server responded with a status of ${status}`),
    )
  context.on('weberror', error => faults.push(error.error().stack ?? String(error.error())))
  context.on('console', message => {
    const bad = message.type() === 'error' || message.type() === 'warning'
    if (bad && !isWanted(message.text())) faults.push(message.text())
  })
  return faults
}

/** A story fails on every such fault. */
export const test = base.extend<Options & { faultless: undefined }>({
  refusals: [[], { option: true }],
  faultless: [
    async ({ context, refusals }, use) => {
      const faults = faultsIn(context, refusals)
      await use(undefined)
      expect(faults, 'what the pages complained about').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** What axe finds wrong with the page as it is, by one of its rules or by all; too small targets are among them. */
export async function violations(page: Page, rule?: string): Promise<string[]> {
  // Half a megabyte, which a page keeps.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async rule => {
    // What keeps the focus in an open list passes it on at once; axe knows that only where a list covers the middle.
    const found = await window.axe.run(
      { exclude: ['[data-base-ui-focus-guard]'] },
      {
        resultTypes: ['violations'],
        ...(rule
          ? { runOnly: { type: 'rule', values: [rule] } }
          : { rules: { 'target-size': { enabled: true } } }),
      },
    )
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join('\n')}`)
  }, rule)
}

/**
 * Looks at the page as it is: for everything that axe knows, then in the other colour scheme, in which it stays, for what
 * colours can spoil.
 */
export async function scan(page: Page) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await isAccessible(page)
  const colorScheme = (await page.locator('html').getAttribute('data-mode')) === 'dark' ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme })
  // Asked for in the page: an expectation that is still to come true describes the whole page to whoever waits for it.
  await page.waitForFunction(mode => document.documentElement.dataset.mode === mode, colorScheme)
  await isAccessible(page, 'color-contrast')
}

async function isAccessible(page: Page, rule?: string) {
  // A toast on its way out is as faint as that for a moment; what is broken stays.
  await expect(async () => {
    expect(await violations(page, rule), rule ? 'axe in the other scheme' : 'axe').toEqual([])
  }).toPass({ intervals: [500, 1_000], timeout: 20_000 })
}

/** By how many pixels the page is wider than its window. */
export const overflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))

/** Fails if the page is wider than its window. */
export async function fitsTheWindow(page: Page) {
  // What is another thing on a narrow window is drawn anew after the window has changed.
  await expect.poll(() => overflow(page), 'the page scrolls sideways').toBe(0)
}

import { expect, type Locator, type Page } from '@playwright/test'

type Step = (page: Page) => Promise<unknown>

/** A state of a screen, and the steps that produce it. */
export type State = { name: string; steps: Step[]; isOnlyWide?: boolean }

export const state = (name: string, ...steps: Step[]): State => ({ name, steps })

/** Returns a state that narrow windows don't have. */
export const wideState = (name: string, ...steps: Step[]): State => ({ name, steps, isOnlyWide: true })

/** Waits until the page has loaded its data, and animations have ended. */
async function waitUntilLoaded(page: Page) {
  // Before the page's code has loaded, the document has neither a title of its own nor a heading.
  await page.waitForFunction(
    () =>
      document.title.includes(' · ') &&
      document.querySelector('h1') &&
      !document.querySelector('.skeleton, [aria-busy="true"], [role="status"] .animate-pulse'),
  )
  await waitForAnimations(page)
}

/** Waits until all animations have ended, except endless ones such as the pulse of a skeleton. */
export async function waitForAnimations(page: Page) {
  await page.evaluate(async () => {
    const ends = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      .map(({ finished }) => finished.catch(() => undefined))
    await Promise.all([document.fonts.ready, ...ends])
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}

/** Returns a step that opens a URL, and waits until its page has loaded. */
export const open =
  (path: string): Step =>
  async page => {
    await page.goto(path)
    await waitUntilLoaded(page)
  }

/** Returns a step that opens a URL whose data never arrives, and waits for the placeholder. */
export const openLoading =
  (path: string): Step =>
  async page => {
    await page.goto(path)
    await expect(page.locator('.skeleton').first()).toBeVisible()
  }

/** Returns a step after which matching requests are rejected with `status`. */
export const rejectRequests =
  (calls: RegExp, status = 503, more: object = {}): Step =>
  page => {
    const message = 'The server is busy. Please try again in a moment.'
    const json = { success: false, message, errors: [message], fields: {}, ...more }
    return page.route(calls, route => route.fulfill({ status, json }))
  }

/** Returns a step after which matching requests for a list get one without records. */
export const emptyList =
  (calls: RegExp): Step =>
  page =>
    page.route(calls, async route => {
      const response = await route.fetch()
      const empty = (value: unknown, key = ''): unknown => {
        if (Array.isArray(value)) return []
        if (typeof value === 'object' && value !== null)
          return Object.fromEntries(Object.entries(value).map(([key, value]) => [key, empty(value, key)]))
        return key.startsWith('total') && key !== 'totalPages' ? 0 : value
      }
      const { 'content-encoding': _, ...headers } = response.headers()
      await route.fulfill({
        headers: { ...headers, 'x-total-count': '0' },
        json: empty(await response.json()),
      })
    })

/** Returns a step after which matching requests get no response. */
export const blockRequests =
  (calls: RegExp): Step =>
  page =>
    page.route(calls, () => undefined)

type Role = Parameters<Page['getByRole']>[0]

const findByRole = (page: Page, role: Role, name: string | RegExp): Locator =>
  page
    .getByRole(role, { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()

/** Returns a step that clicks the first visible element with this role and name. */
export const press =
  (name: string | RegExp, role: Role = 'button'): Step =>
  page =>
    findByRole(page, role, name).click()

/**
 * Returns a step that clicks an action of the first row of a list, or of the row of `record`. In narrow windows it is in
 * the row's menu, in wide ones it may be in the expanded row.
 */
export const pressInRow =
  (action: RegExp, record = ''): Step =>
  async page => {
    const menu = findByRole(page, 'button', new RegExp(`^Actions for ${record}`))
    const expand = page.getByRole('main').locator('section tbody [aria-expanded="false"]').first()
    if (await menu.isVisible()) await menu.click()
    else if (await expand.isVisible()) await expand.click()
    await page.getByLabel(action).filter({ visible: true }).first().click()
  }

/** Returns a step that clicks a button in the open dialog. */
export const pressInDialog =
  (name: string | RegExp): Step =>
  page =>
    page.getByRole('dialog').getByRole('button', { name }).first().click()

/** A step that opens the form for a new record. */
export const openNew: Step = page => page.locator('main [aria-keyshortcuts="n"]').click()

/** A step that submits the form in the open dialog. */
export const submit: Step = page => page.getByRole('dialog').locator('[type="submit"]').click()

/** A step that waits until a field in the open dialog has an error. */
export const expectErrors: Step = page =>
  expect(page.getByRole('dialog').locator('[aria-invalid="true"]').first()).toBeVisible()

export const expectText =
  (text: string | RegExp): Step =>
  page =>
    expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()

/** Returns a step that scrolls to this text. */
export const scrollTo =
  (text: string): Step =>
  page =>
    page.getByText(text).filter({ visible: true }).first().scrollIntoViewIfNeeded()

/** Returns a step that waits until a dialog, menu or listbox is open. */
export const expectOpen =
  (role: 'dialog' | 'menu' | 'listbox' = 'dialog'): Step =>
  page =>
    expect(page.getByRole(role).first()).toBeVisible()

export const fill =
  (label: string, text: string): Step =>
  page =>
    page.getByLabel(label, { exact: true }).filter({ visible: true }).first().fill(text)

/** A step that expands the first expandable row of a list. */
export const openRow: Step = page =>
  page.getByRole('main').locator('section tbody [aria-expanded="false"]').first().click()

/** Returns a step that opens the page of the first record of a list. */
export const openFirst =
  (list: string): Step =>
  page =>
    page.getByRole('main').getByRole('region', { name: list, exact: true }).getByRole('link').first().click()

/** Resets the layout shifts counted so far, when a user's action or an intended notice has caused them. */
export const forgetShifts: Step = page => page.evaluate(() => Object.assign(window, { shifted: 0 }))

/** Returns the states of a page: loaded, loading, and after its requests (`calls`) have failed. */
export const loadingStates = (name: string, path: string, calls: RegExp): State[] => [
  state(name, open(path)),
  state(`${name}, loading`, blockRequests(calls), openLoading(path)),
  state(`${name}, failed`, rejectRequests(calls), open(path), expectText('Try Again')),
]

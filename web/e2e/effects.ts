import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { Tokens } from './attackedServer'
import { type Seeded, seed } from './seeded'
import { expect, test as story } from './test'

/**
 * Starts to record the effects of payloads: executed scripts, violations of the content security policy, dialogs, and
 * requests to hosts other than `at`. Returns the list, which grows.
 */
export async function recordEffects(context: BrowserContext, at: string): Promise<string[]> {
  const effects: string[] = []
  await context.exposeBinding('ran', ({ frame }) => void effects.push(`ran at ${frame.url()}`))
  await context.exposeBinding('breached', (_, what: string) => void effects.push(`breached ${what}`))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const { breached } = window as unknown as { breached: (what: string) => void }
      breached(`${effectiveDirective} by ${blockedURI}`)
    })
  })
  context.on('dialog', dialog => {
    effects.push(`asked ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', request => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== at && /^(?:https?|wss?):$/.test(protocol)) effects.push(`asked for ${request.url()}`)
  })
  return effects
}

/**
 * Returns the HTML of elements that only a payload can have created, and of those with event handlers or with URLs that
 * run scripts or load from another host.
 */
export function findPayloadElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const foreign =
      'iframe, object, embed, base, math, marquee, video, audio, image, noscript ~ p, template, xmp, foreignObject,' +
      'animate, set, body style, body link, meta[http-equiv=refresh], [ng-app], [id=x], [id=f]'
    const found = [...document.querySelectorAll(foreign)]
    for (const element of document.querySelectorAll('*')) {
      const bad = [...element.attributes].some(
        ({ name, value }) =>
          name.startsWith('on') ||
          (/^(?:href|src|action|formaction|xlink:href|data)$/.test(name) &&
            /^(?:javascript|vbscript|data:text)/i.test(value.replace(/[\0-\x20]/g, ''))) ||
          (name === 'src' && value.includes('elsewhere.example')),
      )
      if (bad) found.push(element)
    }
    return found.map(element => element.outerHTML.slice(0, 200))
  })
}

/** Fails if a payload has created an element in the page. */
export async function expectNoPayloadElements(page: Page) {
  expect(await findPayloadElements(page)).toEqual([])
}

/**
 * Waits until the page or its input fields contain these texts literally, ignoring white space, and fails if a payload
 * has created an element.
 */
export async function expectHarmlessTexts(page: Page, texts: string[]) {
  const missing = () =>
    page.evaluate(wanted => {
      const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(
        field => field.value,
      )
      const bare = (text: string) => text.replace(/[\s\0]/g, '')
      const seen = bare([document.body.textContent, ...fields].join('\n'))
      return wanted.filter(text => !seen.includes(bare(text)))
    }, texts)
  await expect
    .poll(missing, { message: `what ${page.url()} does not show`, intervals: [20, 50, 100] })
    .toEqual([])
  await expectNoPayloadElements(page)
}

/** Navigates within the app without loading the page again, as a link does. */
export async function navigateInApp(page: Page, address: string) {
  await page.evaluate(to => {
    // The history state that the router itself would store.
    history.pushState({ usr: null, key: to, idx: (history.state?.idx ?? 0) + 1 }, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}

/**
 * Expands each of the first `most` rows, and opens and closes the dialog of each of its buttons. After each step, fails
 * if a payload has created an element.
 */
export async function checkRowsAndDialogs(page: Page, rows: Locator, most: number) {
  const whole = rows.filter({ has: page.locator('button[aria-label]') })
  await whole.first().waitFor()
  for (let at = 0; at < most; at++) {
    const opener = whole.nth(at).locator('button[aria-expanded]')
    const labels = await whole
      .nth(at)
      .locator('button[aria-label]:not([aria-expanded])')
      .evaluateAll(buttons => buttons.map(button => button.getAttribute('aria-label') ?? ''))
    if (await opener.count()) await opener.click()
    await expectNoPayloadElements(page)
    for (const label of labels) {
      await whole.nth(at).getByRole('button', { name: label, exact: true }).first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectNoPayloadElements(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  }
}

export const test = story.extend<
  { who: 'platform' | 'admin' | undefined; effects: string[] },
  { seeded: Seeded }
>({
  seeded: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures' names here.
    async ({}, use) => {
      const seeded = await seed()
      await use(seeded)
      seeded.server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ seeded }, use) => use(seeded.server.at),
  who: [undefined, { option: true }],
  storageState: async ({ seeded, who }, use) => {
    const tokens: Tokens | undefined = who && seeded[who]
    const localStorage = Object.entries(tokens ?? {}).map(([name, value]) => ({ name, value: String(value) }))
    await use({ cookies: [], origins: [{ origin: seeded.server.at, localStorage }] })
  },
  effects: [
    async ({ context, seeded }, use) => {
      const effects = await recordEffects(context, seeded.server.at)
      await use(effects)
      expect(effects, 'effects of payloads').toEqual([])
    },
    { auto: true },
  ],
})

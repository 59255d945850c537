import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { RESULTS, SCREENS, type StateResult } from './results'

/**
 * In pixels: the width of a contact sheet (an overview of screenshots), and by window width the width of a screenshot
 * on it.
 */
const SHEET = 1600
const THUMBS = [
  [360, 120],
  [768, 176],
  [1440, 256],
] as const
type Scheme = 'light' | 'dark'

/** The screenshots that the documentation shows in full size. */
const shown: [file: string, state: string, width: number, scheme: Scheme][] = [
  ['dashboard', 'Dashboard', 1440, 'light'],
  ['customers', 'Customers, a row open', 1440, 'dark'],
  ['phone', 'Customers', 360, 'light'],
]

const print = (line: string) => process.stdout.write(`${line}\n`)

test('writes the report and the contact sheets, and there are no findings', async ({ browser }) => {
  test.setTimeout(0)
  const seen = readdirSync(RESULTS)
    .filter(name => name.endsWith('.json'))
    .flatMap(name => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')) as StateResult[])
  const states = printStates(seen)
  const pictures = seen.flatMap(result => Object.values(result.pictures)).length
  const bad = seen.filter(({ findings }) => findings.length > 0).length
  print(`\n${seen.length} results in ${states} states, ${pictures} pictures, ${bad} results with findings`)

  mkdirSync(SCREENS, { recursive: true })
  const page = await browser.newPage({ viewport: { width: SHEET, height: 100 } })
  for (const [width, thumb] of THUMBS)
    for (const scheme of ['light', 'dark'] as const) await drawSheet(page, seen, width, thumb, scheme)
  for (const picture of shown) await drawShown(page, seen, picture)
  await page.close()

  expect(seen).not.toHaveLength(0)
  expect(bad, 'results with findings').toBe(0)
})

/** Prints a line for each state of a screen, followed by its findings. Returns the number of states. */
function printStates(seen: StateResult[]): number {
  const states = new Map<string, StateResult[]>()
  for (const result of seen) {
    const key = `${result.who}\n${result.state}`
    states.set(key, [...(states.get(key) ?? []), result])
  }
  const longest = Math.max(...seen.map(({ state }) => state.length))
  let last = ''
  for (const results of states.values()) {
    const { who = '', state = '', title = '' } = results.at(-1) ?? {}
    if (who !== last) print(`\n${who}`)
    last = who
    const findings = results.flatMap(result =>
      result.findings.map(text => `${result.width}${result.isZoomed ? ' (200 %)' : ''}: ${text}`),
    )
    const shift = Math.max(...results.map(result => result.shift)).toFixed(3)
    const verdict = findings.length === 0 ? 'clean' : `${findings.length} found`
    print(`  ${state.padEnd(longest)}  ${title.padEnd(36)}  shift ${shift}  ${verdict}`)
    for (const text of findings) print(`      ${text.replaceAll('\n', '\n        ')}`)
  }
  return states.size
}

const address = (path: string) => `data:image/png;base64,${readFileSync(path).toString('base64')}`

async function drawSheet(page: Page, seen: StateResult[], width: number, thumb: number, scheme: Scheme) {
  const figures = seen.flatMap(({ state, pictures, ...result }) => {
    const path = pictures[scheme]
    return result.width === width && path
      ? [`<figure><img src="${address(path)}" width="${thumb}"><figcaption>${state}</figcaption></figure>`]
      : []
  })
  if (figures.length === 0) return
  const colours =
    scheme === 'dark' ? 'background: #2a2e37; color: #f1f3f6' : 'background: #d9dde4; color: #14171d'
  await draw(
    page,
    `sheet-${width}-${scheme}`,
    60,
    `<style>
      body { ${colours}; margin: 16px; font: 10px/1.3 sans-serif; display: grid; gap: 12px;
        grid-template-columns: repeat(auto-fill, ${thumb}px) }
      figure { margin: 0 }
      img { display: block; border-radius: 4px }
      figcaption { margin-top: 4px }
    </style>${figures.join('')}`,
  )
}

async function drawShown(
  page: Page,
  seen: StateResult[],
  [file, state, width, scheme]: (typeof shown)[number],
) {
  const path = seen.find(result => result.state === state && result.width === width)?.pictures[scheme]
  if (!path) return
  await page.setViewportSize({ width, height: 100 })
  await draw(
    page,
    file,
    80,
    `<style>body { margin: 0 } img { display: block }</style><img src="${address(path)}">`,
  )
}

/** Renders `html` and saves a screenshot of it as a WebP file in docs/screens. */
async function draw(page: Page, file: string, quality: number, html: string) {
  await page.setContent(html)
  await page.waitForFunction(() => [...document.images].every(image => image.complete))
  const session = await page.context().newCDPSession(page)
  const { cssContentSize: size } = await session.send('Page.getLayoutMetrics')
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: size.width, height: size.height, scale: 1 },
  })
  await session.detach()
  writeFileSync(join(SCREENS, `${file}.webp`), Buffer.from(data, 'base64'))
}

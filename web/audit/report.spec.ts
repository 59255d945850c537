import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { RESULTS, type Seen } from './results'

const SCREENS = join(import.meta.dirname, '../../docs/screens')
/** The width of a contact sheet, and for each window width the width of its screenshots on the sheet. */
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
  ['import', 'Import, map columns', 1440, 'light'],
  ['phone', 'Customers', 360, 'light'],
]

const print = (line: string) => process.stdout.write(`${line}\n`)

test('writes the report and the contact sheets, and there are no findings', async ({ browser }) => {
  test.setTimeout(0)
  const seen = readdirSync(RESULTS)
    .filter(name => name.endsWith('.json'))
    .flatMap(name => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')) as Seen[])
  const states = printStates(seen)
  const pictures = seen.flatMap(look => Object.values(look.pictures)).length
  const bad = seen.filter(({ found }) => found.length > 0).length
  print(`\n${seen.length} looks at ${states} states, ${pictures} pictures, ${bad} looks that found something`)

  mkdirSync(SCREENS, { recursive: true })
  const page = await browser.newPage({ viewport: { width: SHEET, height: 100 } })
  for (const [width, thumb] of THUMBS)
    for (const scheme of ['light', 'dark'] as const) await drawSheet(page, seen, width, thumb, scheme)
  for (const picture of shown) await drawShown(page, seen, picture)
  await page.close()

  expect(seen).not.toHaveLength(0)
  expect(bad, 'looks that found something').toBe(0)
})

/** Prints a line for each state, followed by its findings. Returns the number of states. */
function printStates(seen: Seen[]): number {
  const states = new Map<string, Seen[]>()
  for (const look of seen) {
    const key = `${look.who}\n${look.state}`
    states.set(key, [...(states.get(key) ?? []), look])
  }
  const longest = Math.max(...seen.map(({ state }) => state.length))
  let last = ''
  for (const looks of states.values()) {
    const { who = '', state = '', title = '' } = looks.at(-1) ?? {}
    if (who !== last) print(`\n${who}`)
    last = who
    const found = looks.flatMap(look =>
      look.found.map(text => `${look.width}${look.isZoomed ? ' (200 %)' : ''}: ${text}`),
    )
    const shift = Math.max(...looks.map(look => look.shift)).toFixed(3)
    const verdict = found.length === 0 ? 'clean' : `${found.length} found`
    print(`  ${state.padEnd(longest)}  ${title.padEnd(36)}  shift ${shift}  ${verdict}`)
    for (const text of found) print(`      ${text.replaceAll('\n', '\n        ')}`)
  }
  return states.size
}

const address = (path: string) => `data:image/png;base64,${readFileSync(path).toString('base64')}`

async function drawSheet(page: Page, seen: Seen[], width: number, thumb: number, scheme: Scheme) {
  const figures = seen.flatMap(({ state, pictures, ...look }) => {
    const path = pictures[scheme]
    return look.width === width && path
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

async function drawShown(page: Page, seen: Seen[], [file, state, width, scheme]: (typeof shown)[number]) {
  const path = seen.find(look => look.state === state && look.width === width)?.pictures[scheme]
  if (!path) return
  await page.setViewportSize({ width, height: 100 })
  await draw(
    page,
    file,
    80,
    `<style>body { margin: 0 } img { display: block }</style><img src="${address(path)}">`,
  )
}

/** Renders `html` to a WebP file in docs/screens. */
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

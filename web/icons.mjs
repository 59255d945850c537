// Renders the installed app's icons from public/favicon.svg. Run `npm run icons` after changing it.
import { mkdirSync, readFileSync } from 'node:fs'
import { chromium } from 'playwright'

const drawing = readFileSync('public/favicon.svg', 'utf8')
// Maskable icons can be cropped by a tenth on each side, so the background extends to the edge and the logo is
// smaller.
const ground = /<rect[^>]*fill="([^"]+)"/.exec(drawing)?.[1]
const sign = /<path[^>]*>/.exec(drawing)?.[0]
const maskable = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" fill="${ground}"/><g transform="translate(3.2 3.2) scale(.8)">${sign}</g></svg>`

mkdirSync('public/icons', { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox', '--disable-gpu'],
})
for (const [name, side, svg] of [
  ['192', 192, drawing],
  ['512', 512, drawing],
  ['maskable', 512, maskable],
]) {
  const page = await browser.newPage({ viewport: { width: side, height: side } })
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${svg}`)
  await page.screenshot({ path: `public/icons/${name}.png`, omitBackground: true })
}
await browser.close()

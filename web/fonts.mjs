// Takes from Inter what the app shows of it: the letters of Western Europe in the weights that it writes in, and the
// features that it uses. Everybody waits for these bytes once. Run it after taking another Inter: `npm run fonts`.
import { readFileSync, writeFileSync } from 'node:fs'
import subsetFont from 'subset-font'

const whole = readFileSync('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
const css = readFileSync('node_modules/@fontsource-variable/inter/wght.css', 'utf8')
const range = /inter-latin-wght-normal\.woff2[^}]*unicode-range: ([^;]+);/.exec(css)?.[1] ?? ''
const letters = range.split(',').flatMap(part => {
  const [first, last = first] = part
    .replace('U+', '')
    .split('-')
    .map(code => Number.parseInt(code, 16))
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
})
const part = await subsetFont(whole, letters.join(''), {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 } },
  // Pairs, accents, and figures of one width.
  keepFeatures: ['kern', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum'],
})
writeFileSync('src/fonts/inter-latin.woff2', part)
console.log(`${whole.length} bytes, of which ${part.length} are taken`)

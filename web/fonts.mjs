// Subsets the Inter font: Western European letters, the weights and features that the app uses. Run `npm run fonts`
// after updating Inter.
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
  // Kerning, accents and tabular figures.
  keepFeatures: ['kern', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum'],
})
writeFileSync('src/fonts/inter-latin.woff2', part)
console.log(`${whole.length} bytes, of which ${part.length} are taken`)

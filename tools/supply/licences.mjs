// Is every npm package under a licence that deny.toml allows? By the lock files, so that nothing has to be installed.
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import satisfies from 'spdx-satisfies'

const root = new URL('../..', import.meta.url)
const read = path => readFileSync(new URL(path, root), 'utf8')

const { licenses } = parse(read('tools/supply/deny.toml'))

// What ships beside, with why it may. Of tools alone, which build and test and of which nothing ships, a licence that asks
// for the source of changed files may be taken too.
const shipped = {
  '@fontsource-variable/inter': ['OFL-1.1', 'a font, handed on under the same licence'],
  // Doesn't ship either: npm counts the peers of a library to it, and these are tools.
  argparse: ['Python-2.0', 'reads the settings of the extraction of texts'],
  'caniuse-lite': ['CC-BY-4.0', 'a table that a build looks things up in'],
}
const tools = {
  'axe-core': ['MPL-2.0', 'runs in tests'],
  buffers: [undefined, 'states none; exceljs brings it, beside which a benchmark measures'],
  'cli-table': [undefined, 'states MIT in its texts alone; prints what the extraction of texts counted'],
  lightningcss: ['MPL-2.0', 'compresses style sheets'],
  'parse-cache-control': [undefined, 'names a licence of BSD by an address; Lighthouse brings it, which looks at the screens'],
  'spdx-exceptions': ['CC-BY-3.0', 'a table that this script looks things up in'],
  'spdx-license-ids': ['CC0-1.0', 'the same'],
  'spdx-ranges': ['(MIT AND CC-BY-3.0)', 'the same'],
}
// What their packages say in other words.
const meant = {
  '@visx/vendor': ['MIT and ISC', 'MIT AND ISC'],
  chainsaw: ['MIT/X11', 'MIT'],
}

const wrong = []
const used = new Set()
let count = 0
for (const folder of ['web', 'web/audit/lighthouse', 'tools/bench', 'tools/supply']) {
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`))
  for (const [path, { dev, license, version }] of Object.entries(packages)) {
    if (path === '') continue
    count += 1
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // A package for each system that it is built for.
    const family = name.replace(/^lightningcss-.*/, 'lightningcss')
    const known = (said, [here]) => here === said && used.add(family)
    const said = name in meant && known(license, meant[name]) ? meant[name][1] : license
    const exception = shipped[family] ?? (dev ? tools[family] : undefined)
    if (exception && known(said, exception)) continue
    if (!isAllowed(said)) wrong.push(`${folder}: ${name} ${version}: ${license ?? 'no licence'}${dev ? ' (a tool)' : ''}`)
  }
}

function isAllowed(expression) {
  try {
    return satisfies(expression, licenses.allow)
  } catch {
    return false
  }
}

for (const name of [shipped, tools, meant].flatMap(Object.keys)) {
  if (!used.has(name)) wrong.push(`the exception for ${name} isn't needed any more`)
}
if (wrong.length > 0) {
  console.error(wrong.join('\n'))
  process.exit(1)
}
console.log(`${count} npm packages are under licences that are allowed`)

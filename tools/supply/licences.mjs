// Checks that every npm package in the lock files has a licence that deny.toml allows. It reads only the lock files: the
// packages themselves need not be installed, except the two libraries that this script imports.
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import satisfies from 'spdx-satisfies'

const root = new URL('../..', import.meta.url)
const read = path => readFileSync(new URL(path, root), 'utf8')

const { licenses } = parse(read('tools/supply/deny.toml'))

// Packages that are allowed although their licence is not in the list, each with its licence and the reason: first
// those that npm does not mark as `dev`.
const notDev = {
  '@fontsource-variable/inter': ['OFL-1.1', 'a font, distributed under the same licence'],
  // The app does not contain the next two. They are only tools, but npm does not mark peer dependencies of libraries as
  // `dev`.
  argparse: ['Python-2.0', 'reads the settings of the text extraction'],
  'caniuse-lite': ['CC-BY-4.0', 'a table for the build'],
}
// Build and test tools, for which licences that require the source of changed files are allowed too.
const tools = {
  'axe-core': ['MPL-2.0', 'runs in tests'],
  buffers: [undefined, 'states none; a dependency of exceljs, which a benchmark compares with'],
  'cli-table': [undefined, 'states MIT only in its files; prints the statistics of the text extraction'],
  lightningcss: ['MPL-2.0', 'compresses style sheets'],
  'parse-cache-control': [undefined, 'names BSD by a URL; a dependency of Lighthouse'],
  'spdx-exceptions': ['CC-BY-3.0', 'a table for this script'],
  'spdx-license-ids': ['CC0-1.0', 'the same'],
  'spdx-ranges': ['(MIT AND CC-BY-3.0)', 'the same'],
}
// Licences that packages do not state as SPDX expressions: what a package states, and the SPDX expression that it
// means.
const equivalents = {
  '@visx/vendor': ['MIT and ISC', 'MIT AND ISC'],
  chainsaw: ['MIT/X11', 'MIT'],
}

const problems = []
const used = new Set()
let count = 0
for (const folder of ['web', 'web/audit/lighthouse', 'tools/bench', 'tools/browsers', 'tools/supply']) {
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`))
  for (const [path, { dev, license, version }] of Object.entries(packages)) {
    if (path === '') continue
    count += 1
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // lightningcss has one package per platform, to which the same exception applies.
    const family = name.replace(/^lightningcss-.*/, 'lightningcss')
    const matches = (actual, [expected]) => expected === actual && used.add(family)
    const licence =
      name in equivalents && matches(license, equivalents[name]) ? equivalents[name][1] : license
    const exception = notDev[family] ?? (dev ? tools[family] : undefined)
    if (exception && matches(licence, exception)) continue
    if (!isAllowed(licence))
      problems.push(`${folder}: ${name} ${version}: ${license ?? 'no licence'}${dev ? ' (a tool)' : ''}`)
  }
}

function isAllowed(expression) {
  try {
    return satisfies(expression, licenses.allow)
  } catch {
    return false
  }
}

for (const name of [notDev, tools, equivalents].flatMap(Object.keys)) {
  if (!used.has(name)) problems.push(`the exception for ${name} is not needed any more`)
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(`${count} npm packages have allowed licences`)

// `make bench-import`: compares the import engine with other libraries. All jobs are measured in one run, in
// random order, because times differ between machines and over time. Each job has its own process.
//
// --rounds 5   how often each job runs; the median is reported
// --scale 1    the size of the files: 0.01 for a quick run
// --only node  or chromium; the native engine is measured with node
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { build } from './build.mjs'
import { startChromium } from './chromium.mjs'
import { files } from './files.mjs'
import { BENCH, ROOT } from './paths.mjs'
import { goals, table } from './report.mjs'
import { sizes } from './sizes.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    scale: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const run = promisify(execFile)

const native = async (_, mode, path) => {
  const { stdout } = await run(join(ROOT, 'target/release/examples/check_file'), [path, mode])
  const { verdict, ...measured } = JSON.parse(stdout)
  return { ...measured, result: verdict }
}
const node = async (name, mode, path) => {
  const { stdout } = await run(process.execPath, [join(BENCH, 'node-job.mjs'), name, mode, path])
  return JSON.parse(stdout)
}

const librariesOf = { CSV: ['PapaParse', 'uDSV'], XLSX: ['SheetJS', 'ExcelJS'], XLS: ['SheetJS'] }

/**
 * Returns the jobs to measure: each file with each library and each mode, in Node.js and in Chromium, and with the
 * native engine. ExcelJS is measured only in Node.js, where it is fastest, and the mode `cold` only in Chromium.
 */
function jobsOf(all, chromium) {
  return all.flatMap(file => {
    const libraries = librariesOf[file.kind]
    const jobs = ['preview', 'check'].flatMap(mode => [
      { where: 'native', name: 'Forecourt', mode, file, measure: native },
      ...['Forecourt', ...libraries].map(name => ({ where: 'Node', name, mode, file, measure: node })),
    ])
    const pages = ['cold', 'preview', 'check'].flatMap(mode =>
      ['Forecourt', ...libraries.filter(library => library !== 'ExcelJS')].map(name => ({
        where: 'Chromium',
        name,
        mode,
        file,
        measure: chromium?.measure,
      })),
    )
    return [...(values.only === 'chromium' ? [] : jobs), ...(values.only === 'node' ? [] : pages)]
  })
}

function shuffle(list) {
  const all = [...list]
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    const swapped = all[last]
    all[last] = all[other]
    all[other] = swapped
  }
  return all
}

const median = list => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]

/** Throws if the counts of two jobs differ, because then their times are not comparable. */
function assertSameCounts(jobs) {
  const found = new Map()
  for (const { mode, file, name, where, outcome } of jobs) {
    if (mode !== 'check') continue
    const { total, ready, failed, duplicates } = outcome
    const counts = JSON.stringify({ total, ready, failed, duplicates })
    const first = found.get(file.path)
    if (!first) found.set(file.path, { counts, by: `${name} (${where})` })
    else if (first.counts !== counts) {
      throw new Error(`${file.path}: ${first.by} finds ${first.counts}, ${name} (${where}) ${counts}`)
    }
  }
}

const all = files(Number(values.scale))
await build()
const chromium = values.only === 'node' ? undefined : await startChromium()
const jobs = jobsOf(all, chromium)
for (let round = 1; round <= Number(values.rounds); round++) {
  for (const job of shuffle(jobs)) {
    process.stderr.write(
      `\r\x1b[KRound ${round}: ${job.name}, ${job.where}, ${job.mode}, ${job.file.rows} ${job.file.kind}`,
    )
    const measured = await job.measure(job.name, job.mode, job.file.path)
    job.outcome = measured.result
    job.measured = [...(job.measured ?? []), measured]
  }
}
process.stderr.write('\r\x1b[K')
chromium?.end()
assertSameCounts(jobs)
for (const job of jobs) {
  const of = figure => median(job.measured.map(measured => measured[figure] ?? 0))
  job.result = {
    ms: of('ms'),
    cpu: of('cpu'),
    peak: of('peak') / 1024,
    wasm: of('wasm') / 2 ** 20,
    blocked: of('blocked'),
  }
}
console.log(
  `Medians of ${values.rounds} rounds. cpu: CPU time in milliseconds, which depends less on other load. MB: growth of the memory.\n`,
)
console.log(table(all, jobs))
console.log(goals(all, jobs, sizes()))

// `make bench-import`: the import engine beside the libraries that others import with, all in one run, since milliseconds
// differ from machine to machine and from hour to hour. Every job has a process of its own, and they take turns.
//
// --rounds 5   how often each job is done; its median counts
// --scale 1    how large the files are: 0.01 for a quick look
// --only node  or chromium
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { build } from './build.mjs'
import { startChromium } from './chromium.mjs'
import { files } from './files.mjs'
import { BENCH, ROOT } from './places.mjs'
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
  return { ...measured, answer: verdict }
}
const node = async (who, mode, path) => {
  const { stdout } = await run(process.execPath, [join(BENCH, 'in-node.mjs'), who, mode, path])
  return JSON.parse(stdout)
}

const peersOf = { CSV: ['PapaParse'], XLSX: ['SheetJS', 'ExcelJS'], XLS: ['SheetJS'] }

/** Every job there is. ExcelJS is measured in Node alone, where it is at its best. */
function jobsOf(all, chromium) {
  return all.flatMap(file => {
    const peers = peersOf[file.kind]
    const jobs = ['preview', 'check'].flatMap(mode => [
      { where: 'native', who: 'Forecourt', mode, file, measure: native },
      ...['Forecourt', ...peers].map(who => ({ where: 'Node', who, mode, file, measure: node })),
    ])
    const pages = ['cold', 'preview', 'check'].flatMap(mode =>
      ['Forecourt', ...peers.filter(peer => peer !== 'ExcelJS')].map(who => ({
        where: 'Chromium',
        who,
        mode,
        file,
        measure: chromium?.measure,
      })),
    )
    return [...(values.only === 'chromium' ? [] : jobs), ...(values.only === 'node' ? [] : pages)]
  })
}

function shuffled(list) {
  const all = [...list]
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    const taken = all[last]
    all[last] = all[other]
    all[other] = taken
  }
  return all
}

const median = list => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]

/** Whoever checks must come to the same, or the times mean nothing. */
function compare(jobs) {
  const found = new Map()
  for (const { mode, file, who, where, answer } of jobs) {
    if (mode !== 'check') continue
    const { total, ready, failed, duplicates } = answer
    const counts = JSON.stringify({ total, ready, failed, duplicates })
    const first = found.get(file.path)
    if (!first) found.set(file.path, { counts, by: `${who} (${where})` })
    else if (first.counts !== counts) {
      throw new Error(`${file.path}: ${first.by} finds ${first.counts}, ${who} (${where}) ${counts}`)
    }
  }
}

const all = files(Number(values.scale))
await build()
const chromium = values.only === 'node' ? undefined : await startChromium()
const jobs = jobsOf(all, chromium)
for (let round = 1; round <= Number(values.rounds); round++) {
  for (const job of shuffled(jobs)) {
    process.stderr.write(
      `\r\x1b[KRound ${round}: ${job.who}, ${job.where}, ${job.mode}, ${job.file.rows} ${job.file.kind}`,
    )
    const measured = await job.measure(job.who, job.mode, job.file.path)
    job.answer = measured.answer
    job.measured = [...(job.measured ?? []), measured]
  }
}
process.stderr.write('\r\x1b[K')
chromium?.end()
compare(jobs)
for (const job of jobs) {
  const of = figure => median(job.measured.map(measured => measured[figure] ?? 0))
  job.result = {
    ms: of('ms'),
    cpu: of('cpu'),
    peak: of('peak') / 1024,
    wasm: of('wasm') / 2 ** 20,
    still: of('still'),
  }
}
console.log(`Medians of ${values.rounds} rounds. cpu: how long the processor worked for it, in milliseconds, which others
on the machine disturb less. MB: what it took up beyond its start.\n`)
console.log(table(all, jobs))
console.log(goals(all, jobs, sizes()))

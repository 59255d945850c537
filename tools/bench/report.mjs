// What was measured, as tables, and what it was to be.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const one = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const ms = value => (value < 10 ? one.format(value) : whole.format(value))
const ratio = value => `${value < 10 ? one.format(value) : whole.format(value)}×`
const named = ({ rows, kind }) => `${whole.format(rows)} rows ${kind}`

/** Lines with their columns one below the other; numbers stand at the right. */
function aligned([head, ...lines]) {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map(line => line[column].length)))
  const row = line =>
    line
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
  return [row(head), widths.map(width => '-'.repeat(width)).join('  '), ...lines.map(row)].join('\n')
}

const words = { cold: 'first rows, cold', preview: 'first rows', check: 'all checked' }

/** A line for each file, place and job, with ours and each peer in it. */
export function table(files, jobs) {
  const head = [
    'file',
    'where',
    'job',
    'ours ms',
    'cpu',
    'MB',
    'peer',
    'peer ms',
    'cpu',
    'MB',
    'ratio',
    'by cpu',
  ]
  const lines = files.flatMap(file =>
    jobs
      .filter(job => job.file === file && job.who === 'Forecourt')
      .flatMap(({ where, mode, result }) => {
        const start = [
          named(file),
          where,
          words[mode],
          ms(result.ms),
          ms(result.cpu),
          whole.format(result.peak),
        ]
        const peers = jobs.filter(
          job => job.file === file && job.where === where && job.mode === mode && job.who !== 'Forecourt',
        )
        if (peers.length === 0) return [[...start, '', '', '', '', '', '']]
        return peers.map(peer => [
          ...start,
          peer.who,
          ms(peer.result.ms),
          ms(peer.result.cpu),
          whole.format(peer.result.peak),
          ratio(peer.result.ms / result.ms),
          ratio(peer.result.cpu / result.cpu),
        ])
      }),
  )
  return aligned([head, ...lines])
}

/** Every figure that was to be reached, and whether it was. */
export function goals(files, jobs, modules) {
  const largest = kind => files.filter(file => file.kind === kind).at(-1)
  const found = (where, who, mode, file) =>
    jobs.find(job => job.where === where && job.who === who && job.mode === mode && job.file === file)?.result
  const lines = []
  const say = (what, reached, value, goal) => lines.push([reached ? 'yes' : 'NO', what, goal, value])
  const places = ['Node', 'Chromium'].filter(where => jobs.some(job => job.where === where))

  for (const where of places) {
    for (const [kind, peer, goal] of [
      ['CSV', 'PapaParse', 5],
      ['XLSX', 'SheetJS', 10],
      ['XLS', 'SheetJS', 10],
    ]) {
      const file = largest(kind)
      const [theirs, ours] = [found(where, peer, 'check', file), found(where, 'Forecourt', 'check', file)]
      const times = theirs.ms / ours.ms
      const value = `${ratio(times)} (by cpu ${ratio(theirs.cpu / ours.cpu)})`
      say(`${named(file)}, all checked, beside ${peer} in ${where}`, times >= goal, value, `≥ ${goal}×`)
    }
  }
  if (places.includes('Chromium')) {
    for (const file of files) {
      for (const [mode, goal] of [
        ['cold', 150],
        ['preview', 50],
      ]) {
        const { ms: took } = found('Chromium', 'Forecourt', mode, file)
        say(`${named(file)}, ${words[mode]}`, took <= goal, `${ms(took)} ms`, `≤ ${goal} ms`)
      }
    }
    const pages = jobs.filter(job => job.where === 'Chromium' && job.who === 'Forecourt')
    const still = Math.max(...pages.map(({ result }) => result.still))
    say('The page stands still, at most', still <= 50, `${ms(still)} ms`, '≤ 50 ms')
  }
  if (places.includes('Node')) {
    const csv = largest('CSV')
    const { wasm } = found('Node', 'Forecourt', 'check', csv)
    say(`${named(csv)}, memory of wasm`, wasm <= 64, `${one.format(wasm)} MB`, '≤ 64 MB')
    for (const file of files) {
      const [browser, native] = ['Node', 'native'].map(where => found(where, 'Forecourt', 'check', file))
      const times = browser.ms / native.ms
      const value = `${ratio(times)} (by cpu ${ratio(browser.cpu / native.cpu)})`
      say(`${named(file)}, wasm beside native`, times <= 1.6, value, '≤ 1.6×')
    }
  }
  for (const [name, goal] of [
    ['csv', 15],
    ['xlsx', 95],
    ['xls', 40],
  ]) {
    const { wasm, glue } = modules.find(module => module.name === name)
    const value =
      wasm === undefined ? 'not built' : `${one.format(wasm)} kB + ${one.format(glue ?? 0)} kB of JavaScript`
    say(`Module ${name} as it travels`, wasm <= goal, value, `≤ ${goal} kB`)
  }
  return `\n${aligned([['reached', 'figure', 'goal', 'found'], ...lines])}\n`
}

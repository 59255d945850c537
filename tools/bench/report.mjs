// Formats the measurements as tables, and compares them with the goals.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const one = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const ms = value => (value < 10 ? one.format(value) : whole.format(value))
const ratio = value => `${value < 10 ? one.format(value) : whole.format(value)}×`
const nameOf = ({ rows, kind }) => `${whole.format(rows)} rows ${kind}`

/** Returns the lines as a text table: the first three columns are aligned to the left, the others to the right. */
function alignColumns([head, ...lines]) {
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map(line => line[column].length)))
  const row = line =>
    line
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
  return [row(head), widths.map(width => '-'.repeat(width)).join('  '), ...lines.map(row)].join('\n')
}

const words = { cold: 'first rows, cold', preview: 'first rows', check: 'all checked' }

/** Returns a table that compares Forecourt with the libraries: a line for each file, environment, mode and library. */
export function table(files, jobs) {
  const head = [
    'file',
    'where',
    'mode',
    'Forecourt ms',
    'cpu',
    'MB',
    'library',
    'library ms',
    'cpu',
    'MB',
    'ratio',
    'by cpu',
  ]
  const lines = files.flatMap(file =>
    jobs
      .filter(job => job.file === file && job.name === 'Forecourt')
      .flatMap(({ where, mode, result }) => {
        const start = [
          nameOf(file),
          where,
          words[mode],
          ms(result.ms),
          ms(result.cpu),
          whole.format(result.peak),
        ]
        const libraries = jobs.filter(
          job => job.file === file && job.where === where && job.mode === mode && job.name !== 'Forecourt',
        )
        if (libraries.length === 0) return [[...start, '', '', '', '', '', '']]
        return libraries.map(library => [
          ...start,
          library.name,
          ms(library.result.ms),
          ms(library.result.cpu),
          whole.format(library.result.peak),
          ratio(library.result.ms / result.ms),
          ratio(library.result.cpu / result.cpu),
        ])
      }),
  )
  return alignColumns([head, ...lines])
}

/**
 * Returns a table of the goals, and whether they were reached: those of the measured environments, and the one for the
 * size of the wasm module `import`.
 */
export function goals(files, jobs, modules) {
  const largest = kind => files.filter(file => file.kind === kind).at(-1)
  const found = (where, name, mode, file) =>
    jobs.find(job => job.where === where && job.name === name && job.mode === mode && job.file === file)
      ?.result
  const lines = []
  const add = (what, reached, value, goal) => lines.push([reached ? 'yes' : 'NO', what, goal, value])
  const environments = ['Node', 'Chromium'].filter(where => jobs.some(job => job.where === where))

  for (const where of environments) {
    for (const [kind, library, goal] of [
      ['CSV', 'PapaParse', 5],
      ['CSV', 'uDSV', 3],
      ['XLSX', 'SheetJS', 10],
      ['XLS', 'SheetJS', 10],
    ]) {
      const file = largest(kind)
      const [theirs, ours] = [found(where, library, 'check', file), found(where, 'Forecourt', 'check', file)]
      const times = theirs.ms / ours.ms
      const value = `${ratio(times)} (by cpu ${ratio(theirs.cpu / ours.cpu)})`
      add(
        `${nameOf(file)}, all checked, compared with ${library} in ${where}`,
        times >= goal,
        value,
        `≥ ${goal}×`,
      )
    }
  }
  if (environments.includes('Chromium')) {
    for (const file of files) {
      for (const [mode, goal] of [
        ['cold', 150],
        ['preview', 50],
      ]) {
        const { ms: took } = found('Chromium', 'Forecourt', mode, file)
        add(`${nameOf(file)}, ${words[mode]}`, took <= goal, `${ms(took)} ms`, `≤ ${goal} ms`)
      }
    }
    const pages = jobs.filter(job => job.where === 'Chromium' && job.name === 'Forecourt')
    const blocked = Math.max(...pages.map(({ result }) => result.blocked))
    add('Longest blocking of the main thread', blocked <= 50, `${ms(blocked)} ms`, '≤ 50 ms')
  }
  if (environments.includes('Node')) {
    const csv = largest('CSV')
    const { wasm } = found('Node', 'Forecourt', 'check', csv)
    add(`${nameOf(csv)}, wasm memory`, wasm <= 64, `${one.format(wasm)} MB`, '≤ 64 MB')
    for (const file of files) {
      const [browser, native] = ['Node', 'native'].map(where => found(where, 'Forecourt', 'check', file))
      const times = browser.ms / native.ms
      const value = `${ratio(times)} (by cpu ${ratio(browser.cpu / native.cpu)})`
      add(`${nameOf(file)}, wasm compared with native`, times <= 1.6, value, '≤ 1.6×')
    }
  }
  for (const [name, goal] of [['import', 185]]) {
    const { wasm, glue } = modules.find(module => module.name === name)
    const value =
      wasm === undefined ? 'not built' : `${one.format(wasm)} kB + ${one.format(glue ?? 0)} kB of JavaScript`
    add(`Module ${name}, compressed`, wasm <= goal, value, `≤ ${goal} kB`)
  }
  return `\n${alignColumns([['reached', 'figure', 'goal', 'measured'], ...lines])}\n`
}

// Writes the files that the benchmark reads: invented contacts of a dealer, identical in every run.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { BENCH, ROOT } from './paths.mjs'

const FOLDER = join(ROOT, 'samples/bench')

const HEADERS = [
  'Namn',
  'E-post',
  'Telefon',
  'Hemsida',
  'Adress',
  'Företag',
  'Kundnr',
  'Kund sedan',
  'Bil',
  'Anteckning',
]
const FIRST = [
  'Åsa',
  'Björn',
  'Märta',
  'Örjan',
  'Eva',
  'Jürgen',
  'Zoë',
  'Günther',
  'Chloé',
  'Lars',
  'Per-Åke',
]
const LAST = [
  'Öberg',
  'Lindström',
  'Åkesson',
  'Weiß',
  "O'Neill",
  'Müller',
  'Sjögren',
  'Hägg',
  'Lööf',
  'Kjellberg',
]
const STREETS = ['Storgatan', 'Ängsvägen', 'Hauptstraße', 'Kyrkogatan', 'Östra Hamngatan', 'Mill Lane']
const CITIES = ['211 42 Malmö', '411 05 Göteborg', '40212 Düsseldorf', '903 25 Umeå', 'London SW1A 2AA']
const CARS = ['Volvo V60', 'Škoda Octavia', 'VW Golf', 'Citroën C3', 'Saab 9-3', 'Tesla 3']
const NOTES = [
  '',
  'Ring efter kl. 17',
  'Says "call me, don\'t write"',
  'Zwei Wünsche:\n- Anhängerkupplung\n- Winterräder',
  'Inbyte möjligt, se offert 12;34',
  'Har köpt två bilar sedan 2019, båda med servicepaket',
]

/** Returns a generator of random numbers (Mulberry32), which are the same on every machine for the same `seed`. */
function random(seed) {
  let state = seed
  return sides => {
    state = (state + 0x6d2b79f5) | 0
    let z = Math.imul(state ^ (state >>> 15), 1 | state)
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z
    return ((z ^ (z >>> 14)) >>> 0) % sides
  }
}

/** Yields contacts; one in a hundred has an error, one in two hundred is a duplicate. */
function* contacts(rows) {
  const roll = random(2026)
  const pick = list => list[roll(list.length)]
  const toAscii = text =>
    text
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')
      .toLowerCase()
  let [name, email, phone] = ['', '', '']
  for (let row = 1; row <= rows; row++) {
    const isDuplicate = row > 1 && roll(200) === 0
    if (!isDuplicate) {
      const [first, last] = [pick(FIRST), pick(LAST)]
      name = `${first} ${last}`
      email = roll(20) === 0 ? '' : `${toAscii(first)}.${toAscii(last)}${row}@example.se`
      phone = `+46 70 ${String(row).padStart(7, '0')}`
    }
    const mistake = roll(300)
    yield [
      mistake === 0 ? '' : mistake === 1 ? `${name} `.repeat(40) : name,
      mistake === 2 ? 'nobody(at)example.se' : isDuplicate ? email.toUpperCase() : email,
      phone,
      roll(3) === 0 ? `www.bil${row}.example` : '',
      `${pick(STREETS)} ${1 + roll(99)}${roll(4) === 0 ? '\n' : ', '}${pick(CITIES)}`,
      roll(3) === 0 ? `${pick(LAST)} & Co, Aktiebolag` : '',
      String(100_000 + row),
      `${2005 + roll(20)}-${String(1 + roll(12)).padStart(2, '0')}-${String(1 + roll(28)).padStart(2, '0')}`,
      pick(CARS),
      pick(NOTES),
    ]
  }
}

const quote = cell => (/[",;\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const line = cells => `${cells.map(quote).join(',')}\r\n`

function writeCsv(path, rows) {
  const file = openSync(path, 'w')
  let text = line(HEADERS)
  for (const cells of contacts(rows)) {
    text += line(cells)
    if (text.length > 1 << 20) {
      writeSync(file, text)
      text = ''
    }
  }
  writeSync(file, text)
  closeSync(file)
}

/** Returns a function that writes the same rows as a workbook: writes a CSV file, and converts it with `writer`. */
const workbookBy = writer => (path, rows) => {
  const csv = `${path}.csv`
  writeCsv(csv, rows)
  writer(csv, path)
  unlinkSync(csv)
}

const writeXlsx = workbookBy((csv, path) => {
  execFileSync(join(ROOT, 'target/release/examples/bench_workbook'), [csv, path])
})

const writeXls = workbookBy((csv, path) => {
  const python = join(FOLDER, 'python')
  if (!existsSync(python)) {
    execFileSync('python3', ['-m', 'venv', python])
    execFileSync(join(python, 'bin/pip'), ['install', '--quiet', 'xlwt==1.3.0'], { stdio: 'inherit' })
  }
  execFileSync(join(python, 'bin/python'), [join(BENCH, 'xls.py'), csv, path])
})

/** Returns the benchmark's files with their kind, number of rows, path and megabytes. Writes files that are missing. */
export function files(scale) {
  mkdirSync(FOLDER, { recursive: true })
  const wanted = [
    ['CSV', 'csv', 100_000, writeCsv],
    ['CSV', 'csv', 1_000_000, writeCsv],
    ['XLSX', 'xlsx', 100_000, writeXlsx],
    ['XLS', 'xls', 60_000, writeXls],
  ]
  return wanted.map(([kind, ending, whole, write]) => {
    const rows = Math.max(1, Math.round(whole * scale))
    const path = join(FOLDER, `people-${rows}.${ending}`)
    if (!existsSync(path)) {
      console.error(`Writing ${path}`)
      const unfinished = join(FOLDER, `unfinished.${ending}`)
      write(unfinished, rows)
      renameSync(unfinished, path)
    }
    return { kind, rows, path, megabytes: statSync(path).size / 1e6 }
  })
}

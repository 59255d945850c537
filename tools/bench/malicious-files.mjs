// The malicious files of the benchmark: those of core's tests, and large ones, which are generated when they are
// missing.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { ROOT } from './paths.mjs'

const SAMPLES = join(ROOT, 'core/tests/files')
const GENERATED = join(ROOT, 'samples/malicious')
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** Returns a ZIP archive of the parts. */
function archive(parts) {
  const [bodies, list] = [[], []]
  let at = 0
  for (const [name, content] of parts) {
    const compressed = deflateRawSync(content, { level: 1 })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(compressed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const position = Buffer.alloc(14)
    position.writeUInt32LE(at, 10)
    list.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, position, Buffer.from(name))
    const body = [Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), compressed]
    bodies.push(...body)
    at += body.reduce((sum, piece) => sum + piece.length, 0)
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, directory, end])
}

/** Returns a workbook with this sheet and these shared strings. */
function workbook(sheet, strings = '') {
  const relation = (id, kind, target) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`
  const relations = inside => `<Relationships xmlns="${PACKAGE}/relationships">${inside}</Relationships>`
  const sheets = `<sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets>`
  const links =
    relation('r1', 'worksheet', 'worksheets/sheet1.xml') +
    relation('r2', 'sharedStrings', 'sharedStrings.xml')
  return archive(
    [
      ['[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types"/>`],
      ['_rels/.rels', relations(relation('r1', 'officeDocument', 'xl/workbook.xml'))],
      ['xl/workbook.xml', `<workbook ${MAIN} xmlns:r="${OFFICE}">${sheets}</workbook>`],
      ['xl/_rels/workbook.xml.rels', relations(links)],
      ['xl/sharedStrings.xml', strings || `<sst ${MAIN}/>`],
      ['xl/worksheets/sheet1.xml', sheet],
    ].map(([name, content]) => [name, Buffer.from(content)]),
  )
}

const opened = `<worksheet ${MAIN}><sheetData>`
const closed = '</sheetData></worksheet>'
const HUNDRED_MEBI = 100 << 20
const text = inside => `<row><c t="inlineStr"><is><t>${inside}</t></is></c></row>`
const head = `${text('Name')}${text('Ada')}`

const generators = {
  'bomb-of-spaces.xlsx': () => workbook(opened + head + ' '.repeat(3 * HUNDRED_MEBI) + closed),
  'bomb-of-text.xlsx': () => workbook(opened + head + text('a'.repeat(3 * HUNDRED_MEBI)) + closed),
  'bomb-of-cells.xlsx': () => workbook(`${opened}${head}<row>${'<c/>'.repeat(HUNDRED_MEBI)}</row>${closed}`),
  'bomb-of-depth.xlsx': () => workbook(opened + head + '<x>'.repeat(HUNDRED_MEBI) + closed),
  'bomb-of-rows.xlsx': () =>
    workbook(opened + head + '<row><c><v>1</v></c></row>'.repeat(3_000_000) + closed),
  'bomb-of-strings.xlsx': () =>
    workbook(
      `${opened}${head}<row><c t="s"><v>19999999</v></c></row>${closed}`,
      `<sst ${MAIN}>${'<si><t>a</t></si>'.repeat(20_000_000)}</sst>`,
    ),
  'quote-without-end.csv': () => `Name,Note\nAda,"${'no end, \n'.repeat(10_000_000)}`,
  'million-columns.csv': () => `${'n,'.repeat(1_000_000)}\n${'v,'.repeat(1_000_000)}\n`,
  'one-line.csv': () => `Name\n${'x'.repeat(HUNDRED_MEBI)}\n`,
  'only-line-ends.csv': () => `Name\nAda\n${'\n'.repeat(HUNDRED_MEBI)}`,
  'only-delimiters.csv': () => `Name,Town\nAda,Lund\n${','.repeat(HUNDRED_MEBI)}\n`,
  'only-quotes.csv': () => `Name\n${'"'.repeat(HUNDRED_MEBI)}\n`,
  'only-zeros.csv': () => Buffer.alloc(HUNDRED_MEBI),
}

/** Returns the name and path of each file whose name contains `part`. Generated files that are missing are written. */
export function maliciousFiles(part) {
  mkdirSync(GENERATED, { recursive: true })
  const samples = readdirSync(SAMPLES).filter(name => /^(hostile-|noise|broken|far-cell|20000)/.test(name))
  const generated = Object.entries(generators).filter(([name]) => name.includes(part))
  for (const [name, generate] of generated) {
    const path = join(GENERATED, name)
    if (!statSync(path, { throwIfNoEntry: false })) writeFileSync(path, generate())
  }
  return [
    ...samples.filter(name => name.includes(part)).map(name => ({ name, path: join(SAMPLES, name) })),
    ...generated.map(([name]) => ({ name, path: join(GENERATED, name) })),
  ]
}

export const bytesOf = path => readFileSync(path)

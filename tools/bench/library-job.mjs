// One job of another library, in Node.js or in a worker: reads the first rows of a file, or checks all rows.
import { Check } from './rules.mjs'

/** The number of preview rows. */
export const PREVIEW = 50

const text = cell => (cell === undefined || cell === null ? '' : String(cell))

/** PapaParse in chunks, so that it does not hold the whole text. */
export function papa(Papa, source, mode) {
  const check = new Check()
  const rows = []
  return new Promise((done, fail) => {
    Papa.parse(source, {
      ...(mode === 'preview' && { preview: PREVIEW }),
      skipEmptyLines: true,
      chunk: ({ data }) => {
        if (mode === 'preview') rows.push(...data)
        else for (const cells of data) check.row(cells)
      },
      complete: () => done(mode === 'preview' ? { rows: rows.length } : check.counts),
      error: fail,
    })
  })
}

/** How much of a text uDSV gets for the first rows. */
export const HEAD_BYTES = 64 << 10

/**
 * uDSV in one call, because it fails where a chunk ends inside of quotes. For a preview, `text` is the head of the file, whose
 * last line may be cut off. uDSV returns the header in its schema.
 */
export function udsv({ inferSchema, initParser }, text, mode) {
  const lines = mode === 'preview' ? text.slice(0, text.lastIndexOf('\n') + 1) : text
  const schema = inferSchema(lines)
  const rows = initParser(schema).stringArrs(lines)
  if (mode === 'preview') return { rows: Math.min(rows.length, PREVIEW) }
  const check = new Check()
  check.row(schema.cols.map(({ name }) => name))
  for (const cells of rows) check.row(cells)
  return check.counts
}

/** SheetJS with its fastest options, and cells as displayed. */
export function sheetJs(XLSX, bytes, mode) {
  const isPreview = mode === 'preview'
  const book = XLSX.read(bytes, { dense: true, cellHTML: false, ...(isPreview && { sheetRows: PREVIEW }) })
  const rows = book.Sheets[book.SheetNames[0]]['!data']
  if (isPreview) return { rows: rows.length }
  const check = new Check()
  for (const row of rows) {
    if (row) check.row(Array.from(row, cell => cell && (cell.w ?? text(cell.v))))
  }
  return check.counts
}

/** ExcelJS, which has no preview option. */
export async function excelJs(ExcelJS, bytes, mode) {
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes)
  const sheet = book.worksheets[0]
  if (mode === 'preview') return { rows: Math.min(sheet.rowCount, PREVIEW) }
  const check = new Check()
  sheet.eachRow(row => check.row(row.values.slice(1).map(text)))
  return check.counts
}

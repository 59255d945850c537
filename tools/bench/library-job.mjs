// The jobs with other libraries, in Node.js or in a worker: reading the first rows of a file, or checking all its rows.
import { Check } from './rules.mjs'

/** How many rows a preview reads. */
export const PREVIEW = 50

const text = cell => (cell === undefined || cell === null ? '' : String(cell))

/** Runs a job with PapaParse, which reads the text in chunks, so that it is never in memory as a whole. */
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

/** How many bytes of a file uDSV gets for a preview. */
export const HEAD_BYTES = 64 << 10

/**
 * Runs a job with uDSV, which gets the whole text at once, because it fails if a chunk ends inside of quotes. For a
 * preview, `text` is the beginning of the file, whose last line may be cut off. uDSV returns the header row in its
 * schema.
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

/** Runs a job with SheetJS with its fastest options. The cells are checked as a spreadsheet program displays them. */
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

/** Runs a job with ExcelJS, which reads the whole file even for a preview. */
export async function excelJs(ExcelJS, bytes, mode) {
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes)
  const sheet = book.worksheets[0]
  if (mode === 'preview') return { rows: Math.min(sheet.rowCount, PREVIEW) }
  const check = new Check()
  sheet.eachRow(row => check.row(row.values.slice(1).map(text)))
  return check.counts
}

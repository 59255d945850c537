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

/** uDSV in chunks. It returns the header in its schema, and the rows without it. */
export async function udsv({ inferSchema, initParser }, texts, mode) {
  const check = new Check()
  let parser
  let rows = 0
  const take = found => {
    rows += found.length
    if (mode === 'check') for (const cells of found) check.row(cells)
  }
  for await (const text of texts) {
    if (!parser) {
      const schema = inferSchema(text)
      parser = initParser(schema)
      check.row(schema.cols.map(({ name }) => name))
    }
    parser.chunk(text, parser.stringArrs, take)
    if (mode === 'preview' && rows >= PREVIEW) return { rows: PREVIEW }
  }
  parser.end()
  return mode === 'preview' ? { rows: Math.min(rows, PREVIEW) } : check.counts
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

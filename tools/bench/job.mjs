// One job of a peer, in Node or in a worker: the first rows of a file, or all of them checked.
import { Check } from './rules.mjs'

/** Rows that are shown first. */
export const PREVIEW = 50

const trimmed = cell => (cell === undefined || cell === null ? '' : String(cell))

/** PapaParse, piece by piece, so that it needn't hold the whole text. */
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

/** SheetJS in its quickest way, and cells as they are shown. */
export function sheetJs(XLSX, bytes, mode) {
  const isPreview = mode === 'preview'
  const book = XLSX.read(bytes, { dense: true, cellHTML: false, ...(isPreview && { sheetRows: PREVIEW }) })
  const rows = book.Sheets[book.SheetNames[0]]['!data']
  if (isPreview) return { rows: rows.length }
  const check = new Check()
  for (const row of rows) {
    if (row) check.row(Array.from(row, cell => cell && (cell.w ?? trimmed(cell.v))))
  }
  return check.counts
}

/** ExcelJS, which has no preview of its own. */
export async function excelJs(ExcelJS, bytes, mode) {
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes)
  const sheet = book.worksheets[0]
  if (mode === 'preview') return { rows: Math.min(sheet.rowCount, PREVIEW) }
  const check = new Check()
  sheet.eachRow(row => check.row(row.values.slice(1).map(trimmed)))
  return check.counts
}

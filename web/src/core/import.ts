/** The doors to the import engine, which only its worker opens: each is fetched when a file needs it. */

export type { CsvReader } from '../wasm/csv/csv'
export type { BookReader } from '../wasm/fallback/fallback'
export type * from '../wasm/import/import'
export type { XlsReader } from '../wasm/xls/xls'
export type { XlsxReader } from '../wasm/xlsx/xlsx'

/** What a file is, which column means what, and the plan of a check. */
export const loadImport = () => import('../wasm/import/import')
/** Text files. */
export const loadCsv = () => import('../wasm/csv/csv')
/** Workbooks of today. */
export const loadXlsx = () => import('../wasm/xlsx/xlsx')
/** Workbooks of 1997 to 2003. */
export const loadXls = () => import('../wasm/xls/xls')
/** Every other workbook, and the encodings of before Unicode. */
export const loadFallback = () => import('../wasm/fallback/fallback')

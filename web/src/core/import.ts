/** Loaders of the import engine's wasm packages. Only its worker calls them, when a file needs them. */

export type { CsvReader } from '../wasm/csv/csv'
export type { BookReader } from '../wasm/fallback/fallback'
export type * from '../wasm/import/import'
export type { XlsReader } from '../wasm/xls/xls'
export type { XlsxReader } from '../wasm/xlsx/xlsx'

/** File detection, column mapping and row checks. */
export const loadImport = () => import('../wasm/import/import')
export const loadCsv = () => import('../wasm/csv/csv')
export const loadXlsx = () => import('../wasm/xlsx/xlsx')
export const loadXls = () => import('../wasm/xls/xls')
/** .xlsb, .ods and older encodings. */
export const loadFallback = () => import('../wasm/fallback/fallback')

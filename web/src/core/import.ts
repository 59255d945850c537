/** Loaders of the import engine's wasm packages. Only the import worker calls them. */

export type * from '../wasm/import/import'

/** The engine, with the readers of CSV, .xlsx and .xls. */
export const loadImport = () => import('../wasm/import/import')
/** The engine with all readers: also of .xlsb, .ods and older encodings. */
export const loadFallback = () => import('../wasm/fallback/fallback')

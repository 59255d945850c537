/** Loads the import engine's wasm packages. Only the import worker calls these functions. */

export type * from '../wasm/import/import'

/** Loads the engine with the readers of CSV, .xlsx and .xls. */
export const loadImport = () => import('../wasm/import/import')
/** Loads the engine with all readers: also of .xlsb, .ods and older encodings. */
export const loadFallback = () => import('../wasm/fallback/fallback')

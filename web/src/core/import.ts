/** The door to the import engine (package `wasm/import`), which only the worker opens. */
export type * from '../wasm/import/import'

export const loadImport = () => import('../wasm/import/import')

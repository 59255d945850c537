/**
 * The bindings to the rules and the API client, both written in Rust (package `wasm/rules`, here called core). Only
 * this folder imports the wasm packages. Core loads while the first page renders. Code that can run before that calls
 * `await loadCore()`; code of pages whose loader has awaited it uses `core`. Messages of core and the server have a
 * code; `textOf` of `~/language` returns their sentence.
 */
import type * as Rules from '../wasm/rules/rules'

export type * from '../wasm/rules/rules'
export type Core = typeof Rules

let afterLoad: ((core: Core) => void) | undefined

/** Sets the function that runs once core has loaded. */
export function onceLoaded(start: (core: Core) => void) {
  afterLoad = start
}

let loading: Promise<Core> | undefined

/** The wasm package `rules`. Undefined until `loadCore` has resolved. */
export let core: Core

export function loadCore(): Promise<Core> {
  loading ??= import('../wasm/rules/rules').then(
    module => {
      core = module
      afterLoad?.(core)
      return core
    },
    error => {
      // So that the next call of `loadCore` tries again.
      loading = undefined
      throw error
    },
  )
  return loading
}

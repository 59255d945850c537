/**
 * The door to the rules and to the server's API, both Rust (package `wasm/rules`). Nobody else imports the wasm packages.
 *
 * They load while the first screen is drawn. Whoever can't be sure that they are there says `await loadCore()`; what
 * lies behind a loader that did so uses `core` as it is.
 *
 * What core and the server say is English. It comes out here in the language of the screen (see `~/language`).
 */
import { speaking } from '~/language'
import type * as Rules from '../wasm/rules/rules'

export type * from '../wasm/rules/rules'
export type Core = typeof Rules

let begin: ((core: Core) => void) | undefined

/** What is done once, as soon as the rules are there, whoever loads them. */
export function onceLoaded(start: (core: Core) => void) {
  begin = start
}

let loading: Promise<Core> | undefined

/** The rules, once they have loaded. */
export let core: Core

export function loadCore(): Promise<Core> {
  loading ??= import('../wasm/rules/rules').then(
    module => {
      core = speaking(module)
      begin?.(core)
      return core
    },
    error => {
      // The network may be back at the next call.
      loading = undefined
      throw error
    },
  )
  return loading
}

/** The types of core. `~/language` imports them from here, because `~/core` imports it. */
import type * as Rules from '../wasm/rules/rules'

export type * from '../wasm/rules/rules'
export type Core = typeof Rules

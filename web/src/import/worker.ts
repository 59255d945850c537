import * as Comlink from 'comlink'
import { Engine } from './engine'
import type { WorkerMessage } from './types'

let hear: (word: WorkerMessage) => void = () => undefined
const engine = new Engine(word => hear(word))
// Preloaded, because every file needs it.
engine.rehearse().catch(() => undefined)

/** The API of the worker. The file stays here; only what is shown is returned. */
const api = {
  listen(listener: (word: WorkerMessage) => void) {
    hear = listener
  },
  open: engine.open.bind(engine),
  check: engine.check.bind(engine),
  problems: engine.problems.bind(engine),
  rowsOf: engine.rowsOf.bind(engine),
  alike: engine.alike,
  duplicates: engine.duplicates.bind(engine),
  warmUp: engine.warmUp.bind(engine),
}

export type ImportEngine = typeof api

Comlink.expose(api)

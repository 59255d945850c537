import * as Comlink from 'comlink'
import { Engine } from './engine'
import { Modules } from './modules'
import type { WorkerMessage } from './types'

let hear: (word: WorkerMessage) => void = () => undefined
const tell = (word: WorkerMessage) => hear(word)
const modules = new Modules(tell)
const engine = new Engine(modules, tell)
// Preloaded, because most files need these two.
modules
  .get('import')
  .then(() => modules.get('csv'))
  .then(() => engine.rehearse())
  .catch(() => undefined)

/** The API of the worker. The file stays here; only what is shown is returned. */
const api = {
  listen(listener: (word: WorkerMessage) => void) {
    hear = listener
  },
  open: engine.open.bind(engine),
  check: engine.check.bind(engine),
  problems: engine.problems.bind(engine),
  rowsOf: engine.rowsOf.bind(engine),
  alike: engine.alike.bind(engine),
  repeats: engine.repeats.bind(engine),
  warmUp: () => modules.warmUp(),
}

export type ImportEngine = typeof api

Comlink.expose(api)

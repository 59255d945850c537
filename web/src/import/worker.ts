import * as Comlink from 'comlink'
import { Engine } from './engine'
import { Modules } from './modules'
import type { Word } from './types'

let hear: (word: Word) => void = () => undefined
const tell = (word: Word) => hear(word)
const modules = new Modules(tell)
const engine = new Engine(modules, tell)
// Whatever file comes, these two are needed, or at least the first.
modules
  .get('import')
  .then(() => modules.get('csv'))
  .then(() => engine.rehearse())
  .catch(() => undefined)

/** What the page can ask of the import engine. The file stays here; only what is shown goes back. */
const api = {
  listen(listener: (word: Word) => void) {
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

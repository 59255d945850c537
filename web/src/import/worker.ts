import * as Comlink from 'comlink'
import { Engine } from './engine'

// The file stays here; only what is shown is returned.
const engine = new Engine()
// Preloaded, because every file needs it.
engine.rehearse().catch(() => undefined)
Comlink.expose(engine)

import * as Comlink from 'comlink'
import { Engine } from './engine'

// The rows of the file stay in this worker; the page gets counts and the rows that it shows.
const engine = new Engine()
// Loads the engine before a file is chosen, because every file needs it.
engine.rehearse().catch(() => undefined)
Comlink.expose(engine)

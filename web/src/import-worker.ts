import * as Comlink from 'comlink'
import { type ColumnMapping, type ImportFile, loadImport } from '~/core/import'

// The engine loads while this worker already listens. Imported statically it would hold the worker up, and a message
// that came meanwhile would be lost. A failure to load is told to the first who asks.
const engine = loadImport()
engine.catch(() => undefined)

let opened: ImportFile | undefined

function current(): ImportFile {
  if (!opened) throw new Error('No file has been opened')
  return opened
}

/** What the page can ask of the import engine. The file stays here; only what is shown goes back. */
const api = {
  async open(file: File) {
    const { ImportFile } = await engine
    opened?.free()
    opened = undefined
    opened = new ImportFile(file.name, new Uint8Array(await file.arrayBuffer()))
    return opened.head()
  },
  async check(mapping: ColumnMapping[], progress: (checked: number) => void) {
    await engine
    const verdict = current().check(mapping, progress)
    return { verdict, problems: current().problemCount, listed: current().problemsListed }
  },
  async problems(from: number, count: number) {
    await engine
    return current().problems(from, count)
  },
  async submit(token: string, file: File, mapping: ColumnMapping[]) {
    const { submitImport } = await engine
    return submitImport(self.location.origin, token, file, file.name, mapping)
  },
}

export type ImportEngine = typeof api

Comlink.expose(api)

import * as Comlink from 'comlink'
import {
  type ColumnMapping,
  type ImportFile,
  loadImport,
  type Problem,
  type SubmitReply,
} from '~/core/import'

// The engine loads while this worker already listens. Imported statically it would hold the worker up, and a message
// that came meanwhile would be lost. A failure to load is told to the first who asks.
const engine = loadImport()
engine.catch(() => undefined)

/** What the server made of a file that was sent: either of the two. */
type Sent = { reply?: SubmitReply; problem?: Problem }

let opened: ImportFile | undefined

function current(): ImportFile {
  if (!opened) throw new Error('No file has been opened')
  return opened
}

/** What the page can ask of the import engine. The file stays here; only what is shown goes back. */
const api = {
  async open(file: File) {
    const { ImportFile, checkSize } = await engine
    checkSize(file.size)
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
  /** A refusal comes back as a value: what is thrown arrives without its status. */
  async submit(token: string, file: File, mapping: ColumnMapping[]): Promise<Sent> {
    const { isProblem, submitImport } = await engine
    try {
      return { reply: await submitImport(self.location.origin, token, file, file.name, mapping) }
    } catch (error) {
      if (!isProblem(error)) throw error
      const { success, message, errors, fields, status } = error
      return { problem: { success, message, errors, fields, status } }
    }
  },
}

export type ImportEngine = typeof api

Comlink.expose(api)

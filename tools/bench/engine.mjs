// Runs the import engine of the web app's worker in Node.js, with files from disk.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Engine } from '~/import/engine'

/** A slice of a file on disk, with the parts of the `File` interface that the engine uses. */
class DiskFile {
  #path
  #from

  constructor(path, from, size) {
    this.#path = path
    this.#from = from
    this.size = size
    this.name = basename(path)
  }

  slice(from = 0, to = this.size) {
    const end = Math.min(to, this.size)
    return new DiskFile(this.#path, this.#from + from, Math.max(end - from, 0))
  }

  read() {
    const bytes = new Uint8Array(this.size)
    const file = openSync(this.#path)
    readSync(file, bytes, 0, this.size, this.#from)
    closeSync(file)
    return bytes.buffer
  }

  async arrayBuffer() {
    const bytes = new Uint8Array(this.size)
    const file = await open(this.#path)
    await file.read(bytes, 0, this.size, this.#from)
    await file.close()
    return bytes.buffer
  }
}

globalThis.FileReaderSync = class {
  readAsArrayBuffer = slice => slice.read()
}

/**
 * Loads the engine as the worker does. Returns a function that opens the file and, unless `mode` is `preview`, checks
 * it.
 */
export async function prepare(path, mode) {
  const engine = new Engine()
  await engine.rehearse()
  const { size } = statSync(path)
  return async () => {
    const opened = await engine.open(new DiskFile(path, 0, size), {})
    if (!opened.head) throw new Error(JSON.stringify(opened))
    if (mode === 'preview') return { rows: opened.head.preview.length }
    const mapping = opened.head.matches.map(({ fileColumn, modelColumn }) => ({ fileColumn, modelColumn }))
    const checked = await engine.check(1, mapping, {
      cells: [],
      replacements: [],
      leftOut: [],
      duplicates: 'import',
    })
    if (!checked.result) throw new Error(JSON.stringify(checked))
    return checked.result.verdict
  }
}

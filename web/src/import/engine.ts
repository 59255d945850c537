import type {
  ColumnMapping,
  Corrections,
  Duplicate,
  ListedProblem,
  Message,
  ReadOptions,
} from '~/core/import'
import { loadFallback, loadImport } from '~/core/import'
import { yieldToMessages } from './turn'
import type { Checked, FileRejection, Opened, SheetChoice, WorkerMessage } from './types'

// Declared here, because TypeScript has the types of either pages or workers, and this project uses those of pages.
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer
}

/** Number of bytes that are read ahead at once (8 MiB). Smaller blocks take up to twice as long. */
const BLOCK = 8 << 20
/** After a read of at least this many bytes (1 MiB), the bytes that follow it are read ahead. */
const LONG = 1 << 20
const NOTHING = new Uint8Array()
/** Minimum time between two progress messages. */
const TELL_MS = 100

/** The error of a wasm module that failed to load. */
class ModuleLoadError extends Error {}

/** Loaders of the two wasm packages: `fallback` has also the libraries that only some files need. */
const loaders = { import: loadImport, fallback: loadFallback }
type Name = keyof typeof loaders
/** The type of the Rust engine, which both wasm packages export. */
type Rust = ReturnType<Awaited<ReturnType<typeof loadImport>>['createEngine']>

/**
 * Opens and checks files with the Rust engine. It has one file and one check at a time; a newer one replaces the older.
 */
export class Engine {
  private tell: (word: WorkerMessage) => void = () => undefined
  private readonly coming = new Map<Name, Promise<Rust>>()
  private readonly here = new Set<Name>()
  /** The open file, and the engine that has opened it. */
  private opened: { file: File; parts: FileParts; options: ReadOptions; by: Name; engine: Rust } | undefined
  /** Identifies the newest operation (`open` or `check`). An older operation stops when it finds another value here. */
  private present = {}
  /** The number of the check whose problems can be listed; 0 for none. */
  private run = 0

  listen(listener: (word: WorkerMessage) => void) {
    this.tell = listener
  }

  async open(file: File, options: ReadOptions): Promise<Opened> {
    const mine = this.begin()
    return returnFileErrors(async () => {
      const head = await this.openWith('import', file, options, mine).catch(error => {
        if (!needsFallback(error)) throw error
        return this.openWith('fallback', file, options, mine)
      })
      return { head, encodings: (await loadImport()).encodings() }
    })
  }

  async check(run: number, mapping: ColumnMapping[], corrections: Corrections): Promise<Checked> {
    const mine = this.begin()
    if (!this.opened) throw new Error('No file has been opened')
    return returnFileErrors(async () => {
      const end = await this.read(run, mapping, corrections, mine).catch(async error => {
        const { opened } = this
        if (!needsFallback(error) || !opened || opened.by === 'fallback') throw error
        await this.engine('fallback')
        if (this.present !== mine) return 'superseded' as const
        await this.openWith('fallback', opened.file, opened.options, mine)
        return this.read(run, mapping, corrections, mine)
      })
      if (end === 'superseded' || !this.opened) return { superseded: true }
      const { engine } = this.opened
      if (end === 'reread') {
        this.run = 0
        return { reread: engine.head() }
      }
      const [counts, kinds] = [engine.counts(), engine.kinds()]
      return { result: { run, counts, kinds, verdict: engine.verdict(), isDamaged: engine.isDamaged() } }
    })
  }

  /**
   * Returns `count` problems of a kind (-1: of all kinds), starting at index `from`; undefined if another check has
   * started.
   */
  problems = (run: number, kind: number, from: number, count: number): ListedProblem[] | undefined =>
    this.engineOf(run)?.problems(kind, from, count)

  /** Returns the rows of the listed problems of this kind; undefined if another check has started. */
  rowsOf(run: number, kind: number): number[] | undefined {
    const engine = this.engineOf(run)
    return engine && [...engine.rowsOf(kind)]
  }

  /**
   * Returns how many listed problems of this kind have this value in their cell, without those in the rows
   * `except`; undefined if another check has started.
   */
  countAlike(run: number, kind: number, value: string, except: number[]): number | undefined {
    const engine = this.engineOf(run)
    if (!engine) return undefined
    const all = engine.countAlike(kind, value)
    if (except.length === 0) return all
    const rows = new Set(except)
    // Only the problems of these rows become JavaScript objects.
    const excepted = [...engine.rowsOf(kind)].filter(
      (row, index) =>
        rows.has(row) && engine.problems(kind, index, 1).some(each => each.value.trim() === value.trim()),
    )
    return all - excepted.length
  }

  /** Returns the first duplicates of the file; undefined if another check has started. */
  duplicates = (run: number): Duplicate[] | undefined => this.engineOf(run)?.duplicates()

  /**
   * Loads the engine and checks an invented file, so that the browser has compiled the code before the user's first
   * file.
   */
  async rehearse() {
    const text = `Name,E-mail,Phone\n${'Ada Lind,ada@example.se,"070-123 45 67"\n'.repeat(300)},,\n`
    const read = (_: number, into: Uint8Array) => new TextEncoder().encodeInto(text, into).written
    const engine = (await loadImport()).createEngine()
    const { matches } = engine.open('rehearsal.csv', text.length, read, {})
    engine.begin(matches, { duplicates: 'import' })
    while (engine.step() === 'more');
    engine.free()
  }

  /** Loads both wasm packages, so that they are available offline. Ignores failures. */
  async warmUp() {
    for (const name of Object.keys(loaders) as Name[]) await this.load(name).catch(() => undefined)
  }

  private begin(): object {
    this.tell({ kind: 'working' })
    this.present = {}
    return this.present
  }

  private engineOf = (run: number) => (run === this.run ? this.opened?.engine : undefined)

  /** Opens a file with the engine `by`, in place of the previous file, and returns its head. */
  private async openWith(by: Name, file: File, options: ReadOptions, mine: object) {
    const engine = await this.engine(by)
    if (this.present !== mine) throw new Error('Another file was chosen meanwhile')
    const parts = new FileParts(file)
    const head = engine.open(file.name, file.size, parts.read, options)
    if (this.opened?.engine !== engine) this.opened?.engine.close()
    this.opened = { file, parts, options, by, engine }
    this.run = 0
    return head
  }

  /** Checks all rows, and lets other messages be handled after each piece of the file. Returns how the check ended. */
  private async read(run: number, mapping: ColumnMapping[], corrections: Corrections, mine: object) {
    const { engine, parts } = this.opened as { engine: Rust; parts: FileParts }
    engine.begin(mapping, corrections)
    this.run = run
    let told = 0
    for (;;) {
      await yieldToMessages()
      await parts.ready()
      if (this.present !== mine) return 'superseded'
      const step = engine.step()
      if (step !== 'more') return step
      const now = performance.now()
      if (now - told < TELL_MS) continue
      told = now
      const [counts, kinds] = [engine.counts(), engine.kinds()]
      this.tell({ kind: 'progress', run, counts, kinds, share: engine.share() })
    }
  }

  /** Returns an engine. Reports when its module is fetched, so that the page's watchdog doesn't count that time. */
  private async engine(name: Name): Promise<Rust> {
    if (this.here.has(name)) return this.load(name)
    this.tell({ kind: 'fetching' })
    const engine = await this.load(name)
    this.tell({ kind: 'working' })
    return engine
  }

  private async load(name: Name): Promise<Rust> {
    const coming = this.coming.get(name) ?? loaders[name]().then(module => module.createEngine())
    this.coming.set(name, coming)
    try {
      const engine = await coming
      this.here.add(name)
      return engine
    } catch (error) {
      // The next call tries again, because the network may be back.
      this.coming.delete(name)
      throw new ModuleLoadError(String(error))
    }
  }
}

const needsFallback = (error: unknown) => error instanceof Error && error.name === 'NeedsFallback'

/** Reads parts of a file synchronously, which is possible only in a worker. During the check it also reads ahead. */
class FileParts {
  private readonly file: File
  /**
   * `at` is the offset where the next read probably begins, `block` the bytes there that are read, `next` the block
   * after.
   */
  private at = 0
  private block = NOTHING
  private next: Promise<ArrayBuffer> | undefined

  constructor(file: File) {
    this.file = file
  }

  /**
   * Fills `into` with the file's bytes from `offset`, and returns how many bytes were read; fewer at the end of the
   * file.
   */
  readonly read = (offset: number, into: Uint8Array): number => {
    const [start, end] = [offset - this.at, offset + into.length]
    if (start >= 0 && end <= this.at + this.block.length) {
      into.set(this.block.subarray(start, start + into.length))
      this.block = this.block.subarray(start + into.length)
      this.at = end
      return into.length
    }
    const bytes = new FileReaderSync().readAsArrayBuffer(this.file.slice(offset, end))
    into.set(new Uint8Array(bytes))
    if (into.length >= LONG) [this.at, this.block, this.next] = [end, NOTHING, undefined]
    return bytes.byteLength
  }

  /** Waits until the next bytes of a sequential read are in memory, and starts to read the block after them. */
  async ready() {
    if (this.block.length > 0 || this.at >= this.file.size) return
    this.next ??= this.load(this.at)
    const next = this.next
    const block = new Uint8Array(await next)
    // A read at another offset may have discarded the block meanwhile.
    if (this.next !== next) return
    this.block = block
    this.next = this.load(this.at + block.length)
  }

  /** Reads the block at an offset. Resolves to no bytes if the file was changed or deleted; `read` then throws. */
  private load(from: number): Promise<ArrayBuffer> {
    const block = this.file.slice(from, from + BLOCK)
    return block.arrayBuffer().catch(() => NOTHING.buffer)
  }
}

/** Runs `work`, and returns errors of the file and a failed load of a module as values. Other errors are thrown. */
async function returnFileErrors<T>(work: () => Promise<T>): Promise<T | FileRejection> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ModuleLoadError) return { lost: 'engine' }
    if (!(error instanceof Error) || (error.name !== 'Problem' && !needsFallback(error))) throw error
    const { messages, sheets, sheet } = error as Error & { messages: [Message] } & Partial<SheetChoice>
    return { refused: messages[0], ...(sheets && { sheets: { sheets, sheet } }) }
  }
}

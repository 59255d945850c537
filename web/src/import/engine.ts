import type { ColumnMapping, Corrections, ReadOptions } from '~/core/import'
import { openBook } from './book'
import { ModuleLoadError, type Modules } from './modules'
import { freed, isFileRefusal, messageOfRefusal, NoTable, type OpenedFile, type OpenRequest } from './opened'
import { openText } from './text'
import { turn } from './turn'
import type {
  Checked,
  FileRejection,
  Kind,
  Kinds,
  ListedProblem,
  Opened,
  Repeat,
  WorkerMessage,
} from './types'
import { topKinds, unpackCounts, unpackKinds, unpackProblems, unpackRepeats } from './unpack'

/** Time between yields. */
const TURN_MS = 8
/** Time between progress messages. */
const TELL_MS = 100
/** Larger lists of kinds are sent only at the end of the check. */
const MOST_KINDS = 64 << 10
/** Problems per step when their rows are collected. */
const STRIDE = 5_000

/** Has one file and one check at a time. A newer one replaces it. */
export class Engine {
  private readonly modules: Modules
  private readonly tell: (word: WorkerMessage) => void
  private opened: OpenedFile | undefined
  /** Identifies the current operation. An older one stops when it finds another value here. */
  private present = {}
  /** The check whose problems can be listed. */
  private run = 0
  private kinds: Kind[] = []

  constructor(modules: Modules, tell: (word: WorkerMessage) => void) {
    this.modules = modules
    this.tell = tell
  }

  async open(file: File, options: ReadOptions): Promise<Opened> {
    const mine = this.begin()
    this.tell({ kind: 'working' })
    return refusing(async () => {
      const { encodings } = await this.modules.get('import')
      const opened = await this.read({ file, options })
      if (this.present !== mine) {
        freed(opened)
        throw new Error('Another file was chosen meanwhile')
      }
      this.keep(opened)
      return { head: opened.head, encodings: encodings() }
    })
  }

  async check(run: number, mapping: ColumnMapping[], corrections: Corrections): Promise<Checked> {
    const mine = this.begin()
    const { opened } = this
    if (!opened) throw new Error('No file has been opened')
    const isPresent = () => this.present === mine
    this.tell({ kind: 'working' })
    return refusing(async () => {
      opened.reader.begin(opened.desk.plan(mapping, corrections))
      this.run = run
      this.kinds = []
      let [turned, told] = [performance.now(), 0]
      const end = await opened.read(async share => {
        const now = performance.now()
        if (now - told >= TELL_MS) {
          told = now
          this.tell({ kind: 'progress', run, counts: this.counts(opened), kinds: this.met(opened), share })
        }
        if (now - turned >= TURN_MS) {
          await turn()
          turned = performance.now()
        }
        return isPresent()
      }, isPresent)
      if (!isPresent() || end === 'stopped') return { superseded: true }
      if (end === 'other') {
        const other = await opened.other()
        if (!isPresent()) {
          freed(other)
          return { superseded: true }
        }
        this.keep(other)
        return { reread: other.head }
      }
      this.kinds = unpackKinds(opened.reader.kinds())
      const counts = this.counts(opened)
      const { total, ready, failed, leftOut, duplicates } = counts
      const verdict = { total, ready, failed, leftOut, duplicates, digest: opened.reader.digest() }
      const isDamaged = opened.isDamaged()
      return { result: { run, counts, kinds: topKinds(this.kinds), verdict, isDamaged } }
    })
  }

  /** Returns a window of the problems of one kind, or of all (-1); undefined if another check has started. */
  problems(run: number, kind: number, from: number, count: number): ListedProblem[] | undefined {
    const { opened } = this
    if (!opened || run !== this.run) return undefined
    const window = opened.reader.problems(kind, from, count)
    const problems = unpackProblems(window, this.kinds)
    if (problems.every(problem => problem.kind < this.kinds.length)) return problems
    this.kinds = unpackKinds(opened.reader.kinds())
    return unpackProblems(window, this.kinds)
  }

  /** The rows that have a problem of this kind, as far as they are listed. */
  rowsOf(run: number, kind: number): number[] | undefined {
    const { opened } = this
    if (!opened || run !== this.run) return undefined
    const rows = new Set<number>()
    for (let from = 0; ; from += STRIDE) {
      const problems = unpackProblems(opened.reader.problems(kind, from, STRIDE), this.kinds)
      for (const { row } of problems) rows.add(row)
      if (problems.length < STRIDE) return [...rows]
    }
  }

  /** How many listed problems of this kind have this value. */
  alike(run: number, kind: number, value: string): number {
    return this.opened && run === this.run ? this.opened.reader.alike(kind, value) : 0
  }

  repeats(run: number, from: number, count: number): Repeat[] | undefined {
    return this.opened && run === this.run
      ? unpackRepeats(this.opened.reader.repeats(from, count))
      : undefined
  }

  /**
   * Reads a small file, so that the browser has compiled the code before the user opens the first file.
   */
  async rehearse() {
    const text = 'Name,E-mail,Phone\nAda Lind,ada@example.se,070-123 45 67\n,,\n'
    const opened = await this.read({ file: new File([text], 'rehearsal.csv'), options: {} })
    const mapping = opened.head.matches.map(({ fileColumn, modelColumn }) => ({ fileColumn, modelColumn }))
    opened.reader.begin(opened.desk.plan(mapping, { duplicates: 'import' }))
    await opened.read(
      async () => true,
      () => true,
    )
    freed(opened)
  }

  private begin(): object {
    this.present = {}
    return this.present
  }

  private keep(opened: OpenedFile) {
    if (this.opened) freed(this.opened)
    this.opened = opened
    this.run = 0
  }

  /** Detects the format, and opens the file with its reader. */
  private async read(wish: OpenRequest): Promise<OpenedFile> {
    const { checkSize } = await this.modules.get('import')
    checkSize(wish.file.size)
    let { file } = wish
    let { head, found } = await this.recognised(file)
    if (found.locked) {
      const { unlock } = await this.modules.get('fallback')
      const bytes = unlock(new Uint8Array(await file.arrayBuffer()))
      if (bytes) {
        file = new File([bytes as Uint8Array<ArrayBuffer>], file.name)
        ;({ head, found } = await this.recognised(file))
      }
    }
    const { options } = wish
    if (found.kind === 'csv') return openText({ file, options }, found, head, this.modules)
    return openBook({ file, options }, found, this.modules)
  }

  private async recognised(file: File) {
    const { headSize, recognise } = await this.modules.get('import')
    const head = new Uint8Array(await file.slice(0, headSize()).arrayBuffer())
    return { head, found: recognise(file.name, file.size, head) }
  }

  private counts = (opened: OpenedFile) => unpackCounts(opened.reader.counts())

  private met(opened: OpenedFile): Kinds {
    const packed = opened.reader.kinds()
    if (packed.length <= MOST_KINDS) this.kinds = unpackKinds(packed)
    return topKinds(this.kinds)
  }
}

/** Returns errors of the file as values; other errors are thrown. */
async function refusing<T>(work: () => Promise<T>): Promise<T | FileRejection> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ModuleLoadError) return { lost: 'engine' }
    if (error instanceof DOMException && /^Not(Readable|Found)Error$/.test(error.name))
      return { lost: 'file' }
    if (error instanceof NoTable) return { refused: messageOfRefusal(error.refusal), sheets: error.choice }
    if (isFileRefusal(error)) return { refused: messageOfRefusal(error) }
    throw error
  }
}

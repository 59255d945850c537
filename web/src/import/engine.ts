import type { ColumnMapping, Corrections, ReadOptions } from '~/core/import'
import { openBook } from './book'
import { type Modules, Unfetched } from './modules'
import { freed, isProblem, NoTable, type OpenedFile, type Wish } from './opened'
import { openText } from './text'
import { turn } from './turn'
import type { Checked, Kind, Kinds, Listed, Opened, Refused, Repeat, Word } from './types'
import { topKinds, unpackCounts, unpackKinds, unpackProblems, unpackRepeats } from './unpack'

/** So long the worker is at work before it lets messages in. */
const TURN_MS = 8
/** So often it is told how far a check is. */
const TELL_MS = 100
/** Kinds that take more bytes than this are told once the check is over. */
const MOST_KINDS = 64 << 10
/** How many problems are looked at in one go to find their rows. */
const STRIDE = 5_000

/** One file at a time, and one check of it at a time: a newer one takes its place. */
export class Engine {
  private readonly modules: Modules
  private readonly tell: (word: Word) => void
  private opened: OpenedFile | undefined
  /** What opens or checks now; whoever finds another one there gives up. */
  private present = {}
  /** The check whose problems can be looked at. */
  private run = 0
  private kinds: Kind[] = []

  constructor(modules: Modules, tell: (word: Word) => void) {
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
        return { anew: other.head }
      }
      this.kinds = unpackKinds(opened.reader.kinds())
      const counts = this.counts(opened)
      const { total, ready, failed, leftOut, duplicates } = counts
      const verdict = { total, ready, failed, leftOut, duplicates, digest: opened.reader.digest() }
      const isDamaged = opened.isDamaged()
      return { result: { run, counts, kinds: topKinds(this.kinds), verdict, isDamaged } }
    })
  }

  /** A window of the problems of one kind, or of all (-1); nothing once another check has begun. */
  problems(run: number, kind: number, from: number, count: number): Listed[] | undefined {
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
   * Reads a file of its own making. Whatever a browser compiles only when it is called for the first time is then there
   * before somebody waits for it.
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

  /** Tells what the file is by its beginning, and gives it to its reader. */
  private async read(wish: Wish): Promise<OpenedFile> {
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

/** A refusal comes back as a value; a fault is thrown. */
async function refusing<T>(work: () => Promise<T>): Promise<T | Refused> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unfetched) return { lost: 'engine' }
    if (error instanceof DOMException && /^Not(Readable|Found)Error$/.test(error.name))
      return { lost: 'file' }
    if (error instanceof NoTable) return { refused: error.message, sheets: error.choice }
    if (isProblem(error)) return { refused: error.message }
    throw error
  }
}

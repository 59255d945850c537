import type { BookReader, Recognition, XlsReader, XlsxReader } from '~/core/import'
import type { Modules } from './modules'
import {
  isFileRefusal,
  NoTable,
  type OpenedFile,
  type OpenRequest,
  type ReadEnd,
  withNotices,
} from './opened'
import type { SheetChoice } from './types'
import { unpackMessages } from './unpack'

// TypeScript's library has the types of pages or of workers, not both.
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer
}

/** The number of rows between checks for cancellation. */
const STEP = 5_000

/** Opens a workbook with our own reader, or with the fallback reader if that doesn't support it. */
export async function openBook(wish: OpenRequest, found: Recognition, modules: Modules): Promise<OpenedFile> {
  if (found.kind !== 'xlsx' && found.kind !== 'xls') return withFallback(wish, found, modules)
  const Reader = await ownReader(found.kind, modules)
  try {
    const reader = new Reader(wish.file.size, readAt(wish.file))
    return await opened(reader, wish, found, modules)
  } catch (error) {
    if (!needsFallback(error)) throw error
    return withFallback(wish, found, modules)
  }
}

async function ownReader(kind: 'xlsx' | 'xls', modules: Modules) {
  if (kind === 'xlsx') return (await modules.get('xlsx')).XlsxReader
  return (await modules.get('xls')).XlsReader
}

async function withFallback(wish: OpenRequest, found: Recognition, modules: Modules): Promise<OpenedFile> {
  const { BookReader } = await modules.get('fallback')
  const bytes = new Uint8Array(await wish.file.arrayBuffer())
  return opened(new BookReader(bytes, found.kind), wish, found, modules)
}

async function opened(
  reader: XlsxReader | XlsReader | BookReader,
  wish: OpenRequest,
  found: Recognition,
  modules: Modules,
): Promise<OpenedFile> {
  const choice: SheetChoice = { sheets: [] }
  try {
    const { DetectedFile } = await modules.get('import')
    const sheets = reader.sheets().map(({ name, hidden }) => ({ name, hidden }))
    choice.sheets = sheets
    const sheet = reader.choose(wish.options.sheet)
    choice.sheet = sheets[sheet]?.name
    const notices = [...found.notices, ...unpackMessages(reader.notices())]
    const recognised = { kind: found.kind, sheet: sheets[sheet]?.name, sheets, notices: [] }
    const desk = new DetectedFile(recognised, reader.sample(sheet), wish.options, undefined, wish.file.size)
    return {
      desk,
      head: withNotices(desk.head(), notices),
      reader,
      read: goOn => read(reader, sheet, goOn),
      isDamaged: () => false,
      other: () => withFallback(wish, found, modules),
    }
  } catch (error) {
    release(reader)
    throw isFileRefusal(error) ? new NoTable(error, choice) : error
  }
}

/** Frees the reader. In a crashed module that throws too, but the first error matters. */
function release(reader: XlsxReader | XlsReader | BookReader) {
  try {
    reader.free()
  } catch {}
}

async function read(
  reader: XlsxReader | XlsReader | BookReader,
  sheet: number,
  goOn: () => Promise<boolean>,
): Promise<ReadEnd> {
  try {
    reader.start(sheet)
    while (reader.step(STEP)) if (!(await goOn())) return 'stopped'
    return 'whole'
  } catch (error) {
    if (needsFallback(error)) return 'other'
    throw error
  }
}

const needsFallback = (error: unknown) => error instanceof Error && error.name === 'NeedsFallback'

/** Returns a function that reads parts of a file synchronously, which is possible only in a worker. */
function readAt(file: File) {
  const reader = new FileReaderSync()
  return (offset: number, length: number) =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)))
}

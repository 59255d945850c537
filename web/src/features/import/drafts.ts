import type { Duplicates, ModelColumn, ReadOptions } from '~/core'
import { IMPORT_DRAFTS } from '~/lib/drafts'
import type { Change } from './changes'

export type Own = Readonly<Record<string, ModelColumn>>

/** What a person did to a file before it was sent. */
export type Draft = {
  /** How they want it read, where that isn't as it was recognised. */
  options: ReadOptions
  /** What they chose themselves, by the column's name. */
  own: Own
  changes: Change[]
  duplicates: Duplicates
}

type Kept = { user: string; name: string; size: number; lastModified: number; draft: Draft }

/** Enough to change the mind between a few files. */
const MOST = 3

function all(user: string): Kept[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(IMPORT_DRAFTS) ?? '[]') as Kept[]
    return kept.filter(entry => entry.user === user)
  } catch {
    return []
  }
}

const isOf = (file: File) => (kept: Kept) =>
  kept.name === file.name && kept.size === file.size && kept.lastModified === file.lastModified

function write(kept: Kept[]) {
  try {
    sessionStorage.setItem(IMPORT_DRAFTS, JSON.stringify(kept.slice(0, MOST)))
  } catch {
    // More corrections than a browser keeps: they live as long as the page.
  }
}

/** Work on files, kept in this tab for the same person and the same file: a page can't hold on to a file over a reload. */
export const drafts = {
  of: (user: string, file: File) => all(user).find(isOf(file))?.draft,
  /** The name of the file that was worked on last. */
  last: (user: string) => all(user)[0]?.name,
  keep(user: string, file: File, draft: Draft) {
    const { name, size, lastModified } = file
    const others = all(user).filter(kept => !isOf(file)(kept))
    write([{ user, name, size, lastModified, draft }, ...others])
  },
  forget: (user: string, file: File) => write(all(user).filter(kept => !isOf(file)(kept))),
}

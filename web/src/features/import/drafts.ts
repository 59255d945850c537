import type { Duplicates, ModelColumn, ReadOptions } from '~/core'
import { IMPORT_DRAFTS } from '~/lib/drafts'
import type { Change } from './changes'

/** The fields to which the user has mapped columns, by the column's name. */
export type ChosenFields = Readonly<Record<string, ModelColumn>>

/** The user's work on a file before it is submitted. */
export type Draft = {
  /** The read options that the user chose, and the encoding if the file had to be read again in another one. */
  options: ReadOptions
  own: ChosenFields
  /** The changes of all sheets. */
  changes: Change[]
  duplicates: Duplicates
}

type StoredDraft = { user: string; name: string; size: number; lastModified: number; draft: Draft }

const MAX_DRAFTS = 3

function all(user: string): StoredDraft[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(IMPORT_DRAFTS) ?? '[]') as StoredDraft[]
    return stored.filter(entry => entry.user === user)
  } catch {
    return []
  }
}

const isFor = (file: File) => (stored: StoredDraft) =>
  stored.name === file.name && stored.size === file.size && stored.lastModified === file.lastModified

function write(stored: StoredDraft[]) {
  try {
    sessionStorage.setItem(IMPORT_DRAFTS, JSON.stringify(stored.slice(0, MAX_DRAFTS)))
  } catch {
    // The storage is full, so the changes are lost on reload.
  }
}

/**
 * The import's drafts by user and file, stored for the lifetime of the tab. The files themselves are lost on reload.
 */
export const drafts = {
  of: (user: string, file: File) => all(user).find(isFor(file))?.draft,
  /** Returns the name of the file whose draft was stored last. */
  last: (user: string) => all(user)[0]?.name,
  keep(user: string, file: File, draft: Draft) {
    const { name, size, lastModified } = file
    const others = all(user).filter(stored => !isFor(file)(stored))
    write([{ user, name, size, lastModified, draft }, ...others])
  },
  forget: (user: string, file: File) => write(all(user).filter(stored => !isFor(file)(stored))),
}

import { core } from '~/core'
import { createEmitter } from './emitter'
import { isSame } from './rebase'

/** The unsaved changes of one form: the changed fields with their previous values. */
export type Draft = {
  /** The record version that the changes are based on. */
  version?: number
  typed: Record<string, { value: unknown; base: unknown }>
}

const DRAFT = 'draft '
/** Storage key of the drafts of the import. */
export const IMPORT_DRAFTS = 'importDrafts'
const OWNER = 'draftsOf'
const SIGNED_OUT = 'signed-out'

const deletions = createEmitter()

/** Calls a listener when the drafts are deleted, so that it deletes the user's other unsaved work. */
export const onDraftsDeleted = deletions.subscribe

function deleteDrafts() {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(DRAFT) || key === IMPORT_DRAFTS) sessionStorage.removeItem(key)
  }
  deletions.notify()
}

/**
 * Unsaved work, stored for the lifetime of the tab: it survives a lost connection, a reload and an expired session.
 * It belongs to one user, is deleted when they sign out or another user signs in, and never contains secrets.
 */
export const drafts = {
  save(key: string, draft: unknown) {
    try {
      sessionStorage.setItem(DRAFT + key, JSON.stringify(draft))
    } catch {
      // Beyond the storage quota, the newest changes last only as long as the page; an older stored draft stays.
    }
  },
  read<D = Draft>(key: string): D | undefined {
    const stored = sessionStorage.getItem(DRAFT + key)
    return stored === null ? undefined : JSON.parse(stored)
  },
  forget: (key: string) => sessionStorage.removeItem(DRAFT + key),
  /** Sets the signed-in user and deletes another user's drafts. */
  setOwner(user: string) {
    if (sessionStorage.getItem(OWNER) !== user) deleteDrafts()
    sessionStorage.setItem(OWNER, user)
  },
  /** Deletes the drafts on sign-out, in every tab. */
  deleteEverywhere() {
    deleteDrafts()
    const tabs = new BroadcastChannel(SIGNED_OUT)
    tabs.postMessage(null)
    tabs.close()
  },
}

/** Reports that a form was restored from a draft. */
export let reportRestored: () => void = () => undefined

/** Deletes the drafts when another tab signs out. `restored` is called when a form is restored from a draft. */
export function startDrafts(restored: () => void) {
  new BroadcastChannel(SIGNED_OUT).onmessage = deleteDrafts
  reportRestored = restored
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the values that differ from `base`, by dotted field path, without secrets. */
export function changedValues(values: unknown, base: unknown, path = ''): Draft['typed'] {
  if (!isPlain(values)) return {}
  const before = isPlain(base) ? base : {}
  const typed: Draft['typed'] = {}
  for (const [name, value] of Object.entries(values)) {
    const field = path + name
    if (core.isSecret(field) || isSame(value, before[name])) continue
    if (isPlain(value)) Object.assign(typed, changedValues(value, before[name], `${field}.`))
    else typed[field] = { value, base: before[name] }
  }
  return typed
}

import { useState, useSyncExternalStore } from 'react'
import { core } from '~/core'
import { createEmitter } from './emitter'
import { isSame } from './rebase'

/** The unsaved changes of one form: the changed fields with their previous values. */
export type Draft = {
  /** The record version that the changes are based on. */
  version?: number
  typed: Record<string, { value: unknown; base: unknown }>
}

/** A request that creates something, and that the server may have processed although its response is missing. */
export type SentRequest<B> = {
  /** Its `Idempotency-Key`. */
  key: string
  /** Undefined if it isn't stored, or if the attempts had different ones. */
  body?: B
  /** When it was first sent, in milliseconds since 1970. */
  sentAt: number
}

const DRAFT = 'draft '
/** Storage key of the request with which a form's input was sent. */
const REQUEST = `${DRAFT}request `
/** Storage key of the import's drafts: the read options, mapping and corrections of a file. */
export const IMPORT_DRAFTS = 'importDrafts'
const OWNER = 'draftsOf'
/** Prefix of the storage key of the drafts of a user other than the owner, as pairs of a key and a text. */
const PUT_AWAY = 'draftsPutAway '
const SIGNED_OUT = 'signed-out'

/** The latest requests for which the storage had no room, by the keys of their drafts. */
const requestsInMemory = new Map<string, SentRequest<unknown>>()

/** Notifies when all drafts are deleted. */
const deletions = createEmitter()
/** Notifies when the signed-in user is known. */
const confirmations = createEmitter()
/** Notifies when the draft of a form is deleted, also if all are. */
const removals = createEmitter()

/** Calls a listener when the drafts are deleted, so that it deletes the user's other unsaved work. */
export const onDraftsDeleted = deletions.subscribe

const otherWork: (() => string | undefined)[] = []

/**
 * Registers a function that says which unsaved work would be deleted with the drafts, in a sentence;
 * undefined if there is none.
 */
export const describeOtherWork = (describe: () => string | undefined) => void otherWork.push(describe)

/** Returns the sentences about unsaved work besides drafts. */
export const otherUnsavedWork = (): string[] => otherWork.flatMap(describe => describe() ?? [])

/** Calls a listener whenever the signed-in user is known. Other unsaved work that is left belongs to this user. */
export const onOwnerKnown = confirmations.subscribe

/** Stores a value, and returns whether the storage had room for it. */
function store(key: string, value: unknown): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    // The storage is full: the newest changes are lost on reload, and what was stored before stays.
    return false
  }
}

function read<V>(key: string): V | undefined {
  const stored = sessionStorage.getItem(key)
  return stored === null ? undefined : JSON.parse(stored)
}

const storedDrafts = () =>
  Object.entries<string>(sessionStorage).filter(([key]) => key.startsWith(DRAFT) || key === IMPORT_DRAFTS)

/** Deletes the drafts of the user who signs out in another tab; also those of a tab in which nobody has signed in. */
function deleteDraftsOf(user: string | null) {
  const owner = sessionStorage.getItem(OWNER)
  if (owner === null || owner === user) deleteDrafts()
  else sessionStorage.removeItem(PUT_AWAY + user)
}

function deleteDrafts() {
  for (const [key] of storedDrafts()) sessionStorage.removeItem(key)
  requestsInMemory.clear()
  deletions.notify()
  removals.notify()
}

/**
 * Stores unsaved input for the lifetime of the tab: it survives a lost connection, a reload and an expired session.
 * Drafts belong to one user, are deleted when that user signs out, and never contain secrets. While another user is
 * signed in, they are put away.
 */
export const drafts = {
  save: (key: string, draft: unknown) => store(DRAFT + key, draft),
  read: <D = Draft>(key: string) => read<D>(DRAFT + key),
  /** Returns the key of a draft that begins with `prefix`; undefined if there is none. */
  find: (prefix: string) =>
    Object.keys(sessionStorage)
      .find(key => key.startsWith(DRAFT + prefix))
      ?.slice(DRAFT.length),
  /** Returns whether a form, the permissions of a role or an import has a draft. */
  hasInput: () =>
    Object.keys(sessionStorage).some(key => {
      if (key === IMPORT_DRAFTS) return read<unknown[]>(key)?.length
      const stored = key.startsWith(DRAFT) ? read<{ typed?: unknown; matrix?: unknown }>(key) : undefined
      return stored?.typed ?? stored?.matrix
    }),
  /**
   * Returns the draft with which a form opens. A form that opens without a draft starts a new record, so the request of
   * an earlier form is deleted.
   */
  open(key: string): Draft | undefined {
    const draft = drafts.read(key)
    if (!draft) drafts.forgetRequest(key)
    return draft
  },
  /**
   * Stores the request with which the form's input is sent, without a body that contains secrets. If the storage is
   * full, it is kept in memory until the page is reloaded.
   */
  saveRequest(key: string, { body, ...request }: SentRequest<object>) {
    const hasSecret = Object.entries(body ?? {}).some(([field, value]) => value && core.isSecret(field))
    const sent = hasSecret ? request : { ...request, body }
    if (store(REQUEST + key, sent)) requestsInMemory.delete(key)
    else requestsInMemory.set(key, sent)
  },
  readRequest: <B>(key: string) =>
    (requestsInMemory.get(key) as SentRequest<B> | undefined) ?? read<SentRequest<B>>(REQUEST + key),
  forgetRequest(key: string) {
    requestsInMemory.delete(key)
    sessionStorage.removeItem(REQUEST + key)
  },
  /** Deletes the input that the user has undone, but not the request: the form's next one repeats it. */
  forgetInput(key: string) {
    sessionStorage.removeItem(DRAFT + key)
    removals.notify()
  },
  /** Moves the input and the request to another key. Notifies no listener, because the form still has a draft. */
  move(from: string, to: string) {
    const input = drafts.read(from)
    const request = drafts.readRequest<object>(from)
    for (const key of [from, to]) drafts.forgetRequest(key)
    sessionStorage.removeItem(DRAFT + from)
    drafts.save(to, input)
    if (request) drafts.saveRequest(to, request)
  },
  /** Deletes the input and the request. */
  forget(key: string) {
    drafts.forgetRequest(key)
    drafts.forgetInput(key)
  },
  /** Sets the signed-in user. Puts the drafts of the previous one away, and restores those of this one. */
  setOwner(user: string) {
    const previous = sessionStorage.getItem(OWNER)
    if (previous !== user) {
      const stored = storedDrafts()
      deleteDrafts()
      if (previous !== null && stored.length > 0) store(PUT_AWAY + previous, stored)
      const restored = read<[string, string][]>(PUT_AWAY + user) ?? []
      sessionStorage.removeItem(PUT_AWAY + user)
      for (const [key, text] of restored) sessionStorage.setItem(key, text)
    }
    sessionStorage.setItem(OWNER, user)
    confirmations.notify()
  },
  /** Deletes the user's drafts in all tabs of this browser. Called on sign-out. */
  deleteEverywhere() {
    deleteDrafts()
    const tabs = new BroadcastChannel(SIGNED_OUT)
    tabs.postMessage(sessionStorage.getItem(OWNER))
    tabs.close()
  },
}

/**
 * Returns whether a form has a draft from before the calling component was mounted, such as from before a reload, until
 * it is saved or discarded. With `prefix`, the draft may also have a key that begins with it.
 */
export function useHasDraft(key: string, prefix?: string): boolean {
  const isStored = () =>
    sessionStorage.getItem(DRAFT + key) !== null ||
    (prefix !== undefined && drafts.find(prefix) !== undefined)
  const [wasStored] = useState(isStored)
  return useSyncExternalStore(removals.subscribe, isStored) && wasStored
}

/** From now on, deletes this tab's drafts when their user signs out in another tab. */
export function startDrafts() {
  new BroadcastChannel(SIGNED_OUT).onmessage = ({ data }: MessageEvent<string | null>) => deleteDraftsOf(data)
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

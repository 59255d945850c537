import { core } from '~/core'

/** What was typed into one form and isn't saved: the fields that differ, with what stood there before. */
export type Draft = {
  /** The version of the record that it was typed over. */
  version?: number
  typed: Record<string, { value: unknown; base: unknown }>
}

const DRAFT = 'draft '
/** The work on files to import, which is kept beside. */
export const IMPORTS = 'importDrafts'
const OWNER = 'draftsOf'
const SIGNED_OUT = 'signed-out'

function wipe() {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(DRAFT) || key === IMPORTS) sessionStorage.removeItem(key)
  }
}

/**
 * Work that isn't saved, kept as long as the tab: over a lost connection, a reload, and a session that ran out. It is one
 * person's, goes when they sign out or another signs in, and never holds a secret.
 */
export const drafts = {
  keep(key: string, draft: unknown) {
    try {
      sessionStorage.setItem(DRAFT + key, JSON.stringify(draft))
    } catch {
      // More than a browser keeps: it lives as long as the page.
    }
  },
  read<D = Draft>(key: string): D | undefined {
    const kept = sessionStorage.getItem(DRAFT + key)
    return kept === null ? undefined : JSON.parse(kept)
  },
  forget: (key: string) => sessionStorage.removeItem(DRAFT + key),
  /** This person is signed in now; what another has left goes. */
  belongTo(user: string) {
    if (sessionStorage.getItem(OWNER) !== user) wipe()
    sessionStorage.setItem(OWNER, user)
  },
  /** They signed out: here, and so in every other tab. */
  leave() {
    wipe()
    const tabs = new BroadcastChannel(SIGNED_OUT)
    tabs.postMessage(null)
    tabs.close()
  },
}

/** Something that was typed stands in its form again. */
export let tellRestored: () => void = () => undefined

/** Hears from now on of a sign-out in another tab, and lets it be known when something kept is there again. */
export function startDrafts(restored: () => void) {
  new BroadcastChannel(SIGNED_OUT).onmessage = wipe
  tellRestored = restored
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What of these values differs from those that the form began with, part by part; no secret is among it. */
export function typedOver(values: unknown, base: unknown, path = ''): Draft['typed'] {
  if (!isPlain(values)) return {}
  const before = isPlain(base) ? base : {}
  const typed: Draft['typed'] = {}
  for (const [name, value] of Object.entries(values)) {
    const field = path + name
    if (core.isSecret(field) || isSame(value, before[name])) continue
    if (isPlain(value)) Object.assign(typed, typedOver(value, before[name], `${field}.`))
    else typed[field] = { value, base: before[name] }
  }
  return typed
}

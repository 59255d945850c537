import { drafts } from '~/lib/drafts'
import type { Hit } from '~/records/kind'
import { kinds } from './kinds'

/** A record, with its kind's resource. */
export type Recent = Hit & { kind: string }

// Stored like drafts: per user, for the lifetime of the tab, deleted on sign-out.
const KEY = 'recently opened'
const MAX_RESULTS = 5

export const recentlyOpened = (): Recent[] =>
  (drafts.read<Recent[]>(KEY) ?? []).filter(({ kind }) => kinds.has(kind))

export function rememberOpened(opened: Recent) {
  const others = recentlyOpened().filter(({ kind, id }) => kind !== opened.kind || id !== opened.id)
  drafts.save(KEY, [opened, ...others].slice(0, MAX_RESULTS))
}

import { drafts } from '~/lib/drafts'
import type { Hit } from '~/records/kind'
import { kinds } from '~/records/kinds'

/** A record that was opened from the palette, with the resource of its kind. */
export type Recent = Hit & { kind: string }

// The recently opened records are stored as a draft: for one user and the lifetime of the tab, deleted on sign-out.
const KEY = 'recently opened'
const MAX_RESULTS = 5

export const recentlyOpened = (): Recent[] =>
  (drafts.read<Recent[]>(KEY) ?? []).filter(({ kind }) => kinds.has(kind))

export function rememberOpened(opened: Recent) {
  const others = recentlyOpened().filter(({ kind, id }) => kind !== opened.kind || id !== opened.id)
  drafts.save(KEY, [opened, ...others].slice(0, MAX_RESULTS))
}

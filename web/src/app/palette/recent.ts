import { drafts } from '~/lib/drafts'
import { type Found, type KindName, kinds } from './kinds'

/** A record that was opened from the palette. */
export type Recent = Found & { kind: KindName }

// Kept as drafts are: one person's, as long as the tab, and gone when they sign out.
const KEY = 'recently opened'
const MOST = 5

export const recentlyOpened = (): Recent[] =>
  (drafts.read<Recent[]>(KEY) ?? []).filter(({ kind }) => kind in kinds)

export function keepOpened(opened: Recent) {
  const others = recentlyOpened().filter(({ kind, id }) => kind !== opened.kind || id !== opened.id)
  drafts.keep(KEY, [opened, ...others].slice(0, MOST))
}

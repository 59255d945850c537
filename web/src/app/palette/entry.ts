import type { LucideIcon } from 'lucide-react'

/** An entry of the palette. */
export type Entry = {
  /** Unique id. */
  id: string
  title: string
  /** Distinguishes entries with the same title. */
  note?: string
  icon: LucideIcon
  choose: () => void
}

/** A titled group of entries. */
export type Group = { title: string; items: Entry[] }

/** An entry that is found locally, by its title or by the keywords in `also`. */
export type Known = Entry & { also?: string }

/** Returns the entries that contain every word of `text`, in any order. */
export function holding(
  known: Known[],
  text: string,
  contains: (text: string, part: string) => boolean,
): Known[] {
  const words = text.split(/\s+/).filter(word => word !== '')
  return known.filter(({ title, also = '' }) => words.every(word => contains(`${title} ${also}`, word)))
}

import type { LucideIcon } from 'lucide-react'

/** One thing that the palette offers. */
export type Entry = {
  /** Tells it from all others. */
  id: string
  title: string
  /** What tells it from others of the same title. */
  note?: string
  icon: LucideIcon
  choose: () => void
}

/** What belongs together, under its title. */
export type Group = { title: string; items: Entry[] }

/** What can be found by its title, or by other words for it, without asking anybody. */
export type Known = Entry & { also?: string }

/** Those in which every word occurs, in any order. */
export function holding(
  known: Known[],
  text: string,
  contains: (text: string, part: string) => boolean,
): Known[] {
  const words = text.split(/\s+/).filter(word => word !== '')
  return known.filter(({ title, also = '' }) => words.every(word => contains(`${title} ${also}`, word)))
}

import type { LucideIcon } from 'lucide-react'

export type Entry = {
  id: string
  title: string
  /** A text beside the title, which distinguishes entries with the same title. */
  note?: string
  icon: LucideIcon
  choose: () => void
}

export type Group = { title: string; items: Entry[] }

/** An entry that is found without the server, by its title or by the keywords in `also`. */
export type LocalEntry = Entry & { also?: string }

/** Returns the entries that contain every word of `text`, in any order. */
export function filterEntries(
  known: LocalEntry[],
  text: string,
  contains: (text: string, part: string) => boolean,
): LocalEntry[] {
  const words = text.split(/\s+/).filter(word => word !== '')
  return known.filter(({ title, also = '' }) => words.every(word => contains(`${title} ${also}`, word)))
}

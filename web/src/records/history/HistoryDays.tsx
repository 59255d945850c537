import type { ReactNode } from 'react'
import type { HistoryEntry } from '~/core'
import { groupByDay } from './entries'

type Props = {
  entries: HistoryEntry[]
  /** The level of the days' headings. */
  heading: 'h2' | 'h3'
  /** Returns the list item of an entry, with its key. */
  children: (entry: HistoryEntry) => ReactNode
}

/** Renders the entries grouped by day, each group below a heading with its day. */
export const HistoryDays = ({ entries, heading: Heading, children }: Props) =>
  groupByDay(entries).map(({ name, entries: ofDay }) => (
    <div key={name}>
      <Heading className="text-xs font-medium text-muted">{name}</Heading>
      <ul className="mt-1">{ofDay.map(children)}</ul>
    </div>
  ))

import type { ComponentProps, ReactNode } from 'react'
import { HistoryCard } from './history/HistoryCard'
import { SystemInformation } from './SystemInformation'

type Props<R> = ComponentProps<typeof HistoryCard<R & { version: number }>> &
  ComponentProps<typeof SystemInformation> & {
    /** The cards of the second column, before the one with the record's id and times. */
    beside?: ReactNode
    children: ReactNode
  }

/** The cards of a record's page, in two columns if there is room, above the record's history. */
export function RecordColumns<R>({ kind, record, facts, beside, children }: Props<R>) {
  return (
    <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-2">
      <div className="grid gap-4 *:min-w-0">{children}</div>
      <div className="settles grid gap-4 *:min-w-0">
        {beside}
        <SystemInformation record={record} facts={facts} />
      </div>
      <div className="lg:col-span-2">
        <HistoryCard kind={kind} record={record} />
      </div>
    </div>
  )
}

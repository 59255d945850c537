import { plural, t } from '@lingui/core/macro'
import { type ReactNode, useMemo } from 'react'
import { type Agreement, core } from '~/core'
import { calendarDay, count, day } from '~/lib/format'
import { paths } from '~/lib/paths'
import { agreementNames } from '~/lib/words'
import { LinkedRecords } from '../LinkedRecords'
import { RecordLink } from '../RecordLink'
import { AgreementState } from './AgreementState'

type Props = {
  /** Which agreements, as in the API. */
  query: { vehicle_id?: string; filter?: string }
  /** The URL of the list that shows all of them. */
  list: string
  /** Another version of the record loads them again. */
  version: number
  /** Returns what distinguishes an agreement from the others of the record. */
  noteOf: (agreement: Agreement) => string
  /** Shown if there is none. */
  empty: string
  /** A button beside the title. */
  action?: ReactNode
}

/** The newest agreements of a record, and the number of all of them. */
export function AgreementsCard({ query, list, version, noteOf, empty, action }: Props) {
  const { vehicle_id, filter } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is requested.
  const request = useMemo(
    () => (limit: number, signal: AbortSignal) =>
      core.listRecords(
        'agreements',
        { page: 1, limit, ...(vehicle_id && { vehicle_id }), ...(filter && { filter }) },
        signal,
      ),
    [vehicle_id, filter, version],
  )
  return (
    <LinkedRecords
      title={t`Agreements`}
      request={request}
      list={list}
      idOf={({ agreement_id }) => agreement_id}
      item={agreement => <AgreementItem agreement={agreement} list={list} note={noteOf(agreement)} />}
      texts={{
        total: total => plural(total, { one: '# agreement', other: '# agreements' }),
        all: total => t`Show all ${count(total)} agreements`,
        empty,
        failed: t`Failed to load agreements.`,
      }}
      action={action}
    />
  )
}

type ItemProps = { agreement: Agreement; list: string; note: string }

function AgreementItem({ agreement, list, note }: ItemProps) {
  const { agreement_id, number, type, state, agreed_on, created_at } = agreement
  const since = agreed_on ? calendarDay(agreed_on) : day(created_at)
  return (
    <div className="flex items-center gap-x-4">
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 [overflow-wrap:anywhere]">
          <RecordLink
            to={paths.agreement(agreement_id)}
            list={list}
            className="rounded font-medium after:absolute after:inset-0 hover:underline"
          >
            {number}
          </RecordLink>{' '}
          {note}
        </p>
        <p className="text-xs text-muted tabular-nums">{`${agreementNames[type]} · ${since}`}</p>
      </div>
      <AgreementState state={state} />
    </div>
  )
}

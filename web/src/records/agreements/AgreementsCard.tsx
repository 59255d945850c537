import { plural, t } from '@lingui/core/macro'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { type Agreement, core } from '~/core'
import { calendarDay, count, day } from '~/lib/format'
import { paths } from '~/lib/paths'
import { useRequest } from '~/lib/request'
import { agreementNames } from '~/lib/words'
import { CardFailed, CardLoading } from '../CardState'
import { RecordLink } from '../RecordLink'
import { AgreementState } from './AgreementState'

/** Number of agreements that are shown. The list shows all of them. */
const SHOWN = 5

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
    () => (signal: AbortSignal) =>
      core.listRecords(
        'agreements',
        { page: 1, limit: SHOWN, ...(vehicle_id && { vehicle_id }), ...(filter && { filter }) },
        signal,
      ),
    [vehicle_id, filter, version],
  )
  const { outcome, retry } = useRequest(request)
  const loaded = outcome?.ok ? outcome.value : undefined
  const total = loaded?.totalItems ?? 0
  return (
    <section aria-labelledby="agreements" className="card p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id="agreements" className="text-sm font-semibold">{t`Agreements`}</h2>
          {total > 0 && (
            <p className="mt-1 text-muted">{plural(total, { one: '# agreement', other: '# agreements' })}</p>
          )}
        </div>
        {action}
      </div>
      <div className="mt-4">
        {!outcome && <CardLoading lines={2} />}
        {outcome?.ok === false && (
          <CardFailed error={outcome.error} failed={t`Failed to load agreements.`} onRetry={retry} />
        )}
        {loaded && total === 0 && <p className="text-muted">{empty}</p>}
        {loaded && total > 0 && (
          <ul className="-my-2 divide-y divide-line">
            {loaded.data.map(agreement => (
              <li key={agreement.agreement_id} className="relative py-2.5">
                <AgreementItem agreement={agreement} list={list} note={noteOf(agreement)} />
              </li>
            ))}
          </ul>
        )}
        {loaded && total > loaded.data.length && (
          <Link
            to={list}
            className="mt-4 inline-block rounded font-medium text-accent-text hover:underline print:hidden"
          >
            {t`Show all ${count(total)} agreements`}
          </Link>
        )}
      </div>
    </section>
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
            className="rounded font-medium tabular-nums after:absolute after:inset-0 hover:underline"
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

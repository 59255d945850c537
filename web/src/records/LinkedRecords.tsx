import { type ReactNode, useId, useMemo } from 'react'
import { Link } from 'react-router'
import { useRequest } from '~/lib/request'
import { useSettling } from '~/ui/useSettling'
import { CardFailed, CardLoading } from './CardState'

/** Number of records that the card shows. The list behind its link shows all linked records. */
const SHOWN = 5

type Props<R> = {
  title: string
  /** Requests the newest records. Must be memoized. */
  request: (limit: number, signal: AbortSignal) => Promise<{ data: R[]; totalItems: number }>
  /** The URL of the list that shows all linked records. */
  list: string
  idOf: (record: R) => string
  item: (record: R) => ReactNode
  texts: {
    /** Returns the number of all linked records with its noun, such as "6 agreements". */
    total: (count: number) => string
    all: (count: number) => string
    empty: string
    failed: string
  }
  /** A button beside the title. */
  action?: ReactNode
}

/** The card with the newest records that are linked to another one, and the number of all of them. */
export function LinkedRecords<R>({ title, request, list, idOf, item, texts, action }: Props<R>) {
  // The records stay while they load again.
  const { outcome, latest, retry } = useRequest(
    useMemo(() => (signal: AbortSignal) => request(SHOWN, signal), [request]),
  )
  const heading = useId()
  const loaded = outcome?.ok === false ? undefined : latest
  const total = loaded?.totalItems ?? 0
  const isLoading = !outcome && !loaded
  const settling = useSettling(isLoading)
  return (
    <section aria-labelledby={heading} className="card p-5" data-settling={settling}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id={heading} className="text-sm font-semibold">
            {title}
          </h2>
          {total > 0 && <p className="mt-1 text-muted">{texts.total(total)}</p>}
        </div>
        {action}
      </div>
      <div className="mt-4">
        {isLoading && <CardLoading lines={3} />}
        {outcome?.ok === false && <CardFailed error={outcome.error} failed={texts.failed} onRetry={retry} />}
        {loaded && total === 0 && <p className="text-muted">{texts.empty}</p>}
        {loaded && total > 0 && (
          <ul className="-my-2 divide-y divide-line">
            {loaded.data.map(record => (
              <li key={idOf(record)} className="relative py-2.5">
                {item(record)}
              </li>
            ))}
          </ul>
        )}
        {loaded && total > loaded.data.length && (
          <Link
            to={list}
            className="mt-4 inline-block rounded font-medium text-accent-text hover:underline print:hidden"
          >
            {texts.all(total)}
          </Link>
        )}
      </div>
    </section>
  )
}

import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { Link } from 'react-router'
import type { CustomerType } from '~/core'
import { typeName } from './customerType'
import { type CustomersQuery, customersAddress, type Filter } from './query'

type Props = {
  query: CustomersQuery
  /** Called when a filter is removed, because its link had the focus. */
  onRemoved: () => void
}

/** The active filters, each with a link that removes it. */
export function FilterChips({ query, onRemoved }: Props) {
  const { typeAdv, fromDate, toDate } = query.filter
  const chips: [part: keyof Filter, text: string][] = [
    ['typeAdv', typeAdv && t`Type: ${typeName(typeAdv as CustomerType)}`],
    ['fromDate', fromDate && t`From: ${fromDate}`],
    ['toDate', toDate && t`To: ${toDate}`],
  ]
  const active = chips.filter(([, text]) => text)
  if (active.length === 0) return null
  return (
    <ul
      aria-label={t`Active filters`}
      className="flex flex-wrap gap-2 border-b border-line px-3 py-2.5 md:px-4"
    >
      {active.map(([part, text]) => (
        <li key={part}>
          <Link
            to={customersAddress({ ...query, page: 1, filter: { ...query.filter, [part]: '' } })}
            onClick={onRemoved}
            className="inline-flex h-8 items-center gap-1.5 rounded-full bg-soft pr-2 pl-3 font-medium text-accent-text tabular-nums transition-colors hover:bg-subtle max-md:h-11 max-md:pr-3 max-md:pl-4 touch:h-11"
          >
            {text}
            <span className="sr-only">{t`, remove this filter`}</span>
            <X aria-hidden className="size-4" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

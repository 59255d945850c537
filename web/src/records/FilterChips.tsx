import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { Link } from 'react-router'

type Props = {
  /** The active filters, each with the URL of the list without it. */
  filters: { text: string; tip?: string; to: string }[]
  /** Called when a filter is removed, to move the focus, because the focused link disappears. */
  onRemoved: () => void
}

/** The active filters of a list, each with a link that removes it. */
export function FilterChips({ filters, onRemoved }: Props) {
  if (filters.length === 0) return null
  return (
    <ul
      aria-label={t`Active filters`}
      className="flex flex-wrap gap-2 border-b border-line px-3 py-2.5 md:px-4"
    >
      {filters.map(({ text, tip, to }) => (
        <li key={text} className="min-w-0">
          <Link
            to={to}
            onClick={onRemoved}
            className="flex h-8 items-center gap-1.5 rounded-full bg-soft pr-2 pl-3 font-medium text-accent-text tabular-nums transition-colors hover:bg-subtle max-md:h-touch max-md:pr-3 max-md:pl-4 touch:h-touch"
          >
            <span title={tip} className="truncate">
              {text}
            </span>
            <span className="sr-only">{t`, remove this filter`}</span>
            <X aria-hidden className="size-4 shrink-0" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

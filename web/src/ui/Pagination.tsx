import { t } from '@lingui/core/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, type To } from 'react-router'
import { core, type Numbering } from '~/core'
import { cx } from './cx'
import { usePhone } from './usePhone'

type Props = {
  current: number
  totalPages: number
  numbering: Numbering
  /** Returns the URL of a page of the list. */
  to: (page: number) => To
}

const cell =
  'inline-flex h-9 min-w-9 items-center justify-center rounded-lg px-2 font-medium tabular-nums transition-colors max-lg:min-w-8 max-lg:px-1.5 max-md:h-touch max-md:min-w-10 touch:h-touch touch:min-w-touch'

type TurnProps = Omit<Props, 'numbering'> & { step: 1 | -1; label: string; children: ReactNode }

/**
 * A link to the next or previous page. It is disabled on the last or first one, but stays focusable, so that the link
 * that led there keeps the focus.
 */
function Turn({ current, step, totalPages, to, label, children }: TurnProps) {
  const isDisabled = !core.isValidPage(current + step, totalPages)
  return (
    <Link
      to={to(isDisabled ? current : current + step)}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      onClick={event => isDisabled && event.preventDefault()}
      className={cx(
        cell,
        'border border-line',
        isDisabled ? 'cursor-default text-muted opacity-50' : 'hover:bg-subtle',
      )}
    >
      {children}
    </Link>
  )
}

/** Links to the pages of a list. Core decides which page numbers are shown; an ellipsis stands for omitted numbers. */
export function Pagination({ current, totalPages, numbering, to }: Props) {
  const phone = usePhone()
  if (totalPages < 2) return null
  // A phone has no space for more than three.
  const numbers = core.pageWindow(current, totalPages, phone ? 'three' : numbering)
  return (
    <nav
      aria-label={t`Pagination`}
      data-pagination
      className="ml-auto flex items-center gap-1 max-md:w-full print:hidden"
    >
      <Turn current={current} step={-1} totalPages={totalPages} to={to} label={t`Previous page`}>
        <ChevronLeft aria-hidden className="size-4" />
      </Turn>
      <ul className="flex flex-wrap items-center justify-center gap-1 max-md:flex-1">
        {numbers.map((page, index) => (
          <li key={page === -1 ? `gap-after-${numbers[index - 1]}` : page}>
            {page === -1 ? (
              <span className={cx(cell, 'text-muted')}>
                <span aria-hidden>…</span>
                <span className="sr-only">{t`skipped pages`}</span>
              </span>
            ) : (
              <Link
                to={to(page)}
                aria-label={t`Page ${page}`}
                aria-current={page === current ? 'page' : undefined}
                className={cx(cell, page === current ? 'bg-fill text-on-fill' : 'hover:bg-subtle')}
              >
                {page}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <Turn current={current} step={1} totalPages={totalPages} to={to} label={t`Next page`}>
        <ChevronRight aria-hidden className="size-4" />
      </Turn>
    </nav>
  )
}

import { t } from '@lingui/core/macro'
import { Rows3, SquareKanban } from 'lucide-react'
import { Link } from 'react-router'
import { cx } from '~/ui/cx'
import { kind, type VehicleQuery } from '../kind'

/** The links that switch between the table and the board, keeping the search and the filters. */
export function LayoutLinks({ query }: { query: VehicleQuery }) {
  const link = (layout: VehicleQuery['layout'], label: string, Icon: typeof Rows3) => (
    <Link
      to={kind.address({ ...query, page: 1, layout })}
      aria-current={query.layout === layout ? 'page' : undefined}
      className={cx(
        'flex h-full flex-1 items-center justify-center gap-2 rounded-lg px-3 font-medium md:rounded-md',
        query.layout === layout ? 'bg-soft text-accent-text' : 'text-muted hover:text-ink',
      )}
    >
      <Icon aria-hidden className="size-4 narrow:hidden" />
      {label}
    </Link>
  )
  return (
    <nav
      aria-label={t`Layout`}
      className="flex h-10 items-center rounded-lg bg-card outline -outline-offset-1 outline-line max-md:h-touch md:p-0.75 touch:h-touch"
    >
      {link('', t`List`, Rows3)}
      {link('board', t`Board`, SquareKanban)}
    </nav>
  )
}

import { t } from '@lingui/core/macro'
import { Link, useLoaderData } from 'react-router'
import type { Dashboard, SalesFigures } from '~/core'
import { count } from '~/lib/format'
import { useLastLoaded } from '~/lib/lastLoaded'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { useCanRead } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { LoadFailed } from '~/records/LoadFailed'
import { cx } from '~/ui/cx'
import { Page } from '~/ui/Page'
import { Loading } from '~/ui/Skeleton'
import { Charts } from './Charts'
import { FigureCards } from './FigureCards'
import { FirstSteps } from './FirstSteps'
import type { dashboardLoader } from './loader'
import { ModuleLinks } from './ModuleLinks'
import { PlatformHome } from './platform/PlatformHome'
import { useUpdates } from './useUpdates'

export function DashboardPage() {
  useTitle(t`Dashboard`)
  const { promise, load } = useLoaderData() as Awaited<ReturnType<typeof dashboardLoader>>
  const loaded = useLoaded(promise)
  const newest = useUpdates(loaded.outcome, load)
  const { outcome, stale } = useLastLoaded({ outcome: newest, stale: loaded.stale })
  return (
    <Page title={t`Dashboard`} subtitle={t`Manage your dashboard`}>
      {!outcome && <FiguresLoading />}
      {outcome?.ok && (
        <div
          aria-busy={stale}
          className={cx('grid gap-4 transition-opacity duration-150', stale && 'opacity-50')}
        >
          <Figures dashboard={outcome.value} />
        </div>
      )}
      {outcome && !outcome.ok && (
        <div className="card">
          <LoadFailed
            hasExit
            error={outcome.error}
            title={t`Failed to load total invoices`}
            forbidden={t`You don't have access to this dashboard`}
          />
        </div>
      )}
    </Page>
  )
}

/** The figures and charts that the user has permission to see. */
function Figures({ dashboard }: { dashboard: Dashboard }) {
  const { invoices, customers, contacts, imports, vehicles, agreements } = dashboard
  const totals = [
    { name: t`Total Invoices`, of: invoices, to: paths.invoices },
    { name: t`Total customers`, of: customers, to: paths.customers },
    { name: t`Total contacts`, of: contacts, to: paths.contacts },
  ].flatMap(({ name, of, to }) => (of ? [{ name, to, total: of.total }] : []))
  const isPlatform = useCanRead('corporations', paths.corporations)
  const isNew =
    totals.every(({ total }) => total === 0) &&
    !imports?.length &&
    !vehicles?.count &&
    !hasAgreements(agreements)
  if (isPlatform && isNew) return <PlatformHome />
  if (totals.length === 0 && !imports && !vehicles && !agreements) return <ModuleLinks />
  return (
    <>
      {isPlatform && <PlatformHome />}
      {!isNew && <FigureCards dashboard={dashboard} />}
      {totals.length > 0 && <Totals totals={totals} />}
      {isNew ? (
        <FirstSteps />
      ) : (
        // If the number of cards is odd, the last one spans both columns.
        <div className="grid gap-4 *:min-w-0 lg:grid-cols-2 lg:[&>:last-child:nth-child(odd)]:col-span-2">
          <Charts dashboard={dashboard} />
        </div>
      )}
    </>
  )
}

const hasAgreements = (sales: SalesFigures | undefined) =>
  sales !== undefined &&
  (sales.offered > 0 ||
    sales.to_deliver > 0 ||
    sales.due.length > 0 ||
    sales.months.some(month => month.count > 0))

type Total = { name: string; to: string; total: number }

/** The number of records of each kind, in one strip. */
const Totals = ({ totals }: { totals: Total[] }) => (
  <ul aria-label={t`Totals`} className="card flex flex-wrap divide-x divide-line overflow-hidden">
    {totals.map(({ name, to, total }) => (
      <li key={name} className="grid flex-1">
        <Link
          to={to}
          className="flex flex-wrap items-baseline justify-between gap-x-3 px-4 py-3 max-sm:flex-col transition-colors hover:bg-subtle md:px-5"
        >
          <span className="text-muted max-sm:text-xs">{name}</span>
          <span className="font-semibold tabular-nums">{count(total)}</span>
        </Link>
      </li>
    ))}
  </ul>
)

function FiguresLoading() {
  return (
    <Loading className="grid gap-4">
      <div className="card grid h-53 grid-cols-2 gap-x-8 p-4 md:p-5 lg:h-29 lg:grid-cols-4 touch:lg:h-29">
        {['invoiced', 'sold', 'stock', 'days'].map(figure => (
          <div key={figure} className="pt-1">
            <div className="skeleton h-3.5 w-28 max-w-full" />
            <div className="skeleton mt-3 h-6 w-20" />
            <div className="skeleton mt-3 h-3 w-36 max-w-full" />
          </div>
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {['first', 'second', 'third', 'fourth'].map(chart => (
          <div key={chart} className="card h-110 p-5 md:h-83.5">
            <div className="skeleton h-4 w-36" />
            <div className="skeleton mt-8 h-60 rounded-lg" />
          </div>
        ))}
      </div>
    </Loading>
  )
}

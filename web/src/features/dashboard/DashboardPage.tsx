import { t } from '@lingui/core/macro'
import { LoaderCircle } from 'lucide-react'
import { Link, useLoaderData } from 'react-router'
import type { Dashboard } from '~/core'
import { count } from '~/lib/format'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { cx } from '~/ui/cx'
import { LoadFailed } from '~/ui/LoadFailed'
import { Page } from '~/ui/Page'
import { Charts } from './Charts'
import { FirstSteps } from './FirstSteps'
import type { dashboardLoader } from './loader'
import { ModuleLinks } from './ModuleLinks'

export function DashboardPage() {
  useTitle(t`Dashboard`)
  const { promise } = useLoaderData<typeof dashboardLoader>()
  const { outcome, stale } = useLoaded(promise)
  return (
    <Page title={t`Dashboard`} subtitle={t`Manage your dashboard`}>
      {!outcome && <Loading />}
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
  const { invoices, customers, contacts, imports } = dashboard
  const totals = [
    { name: t`Total Invoices`, of: invoices, to: paths.invoices },
    { name: t`Total Customers`, of: customers, to: paths.customers },
    { name: t`Total Contacts`, of: contacts, to: paths.contacts },
  ].flatMap(({ name, of, to }) => (of ? [{ name, to, total: of.total }] : []))
  if (totals.length === 0 && !imports) return <ModuleLinks />
  const isNew = totals.every(({ total }) => total === 0) && !imports?.length
  return (
    <>
      {totals.length > 0 && (
        <ul aria-label={t`Totals`} className="grid gap-4 sm:grid-cols-3">
          {totals.map(({ name, to, total }) => (
            <li key={name}>
              <Link
                to={to}
                className="card flex items-baseline justify-between gap-x-4 p-5 transition-colors hover:border-edge sm:block"
              >
                <span className="text-muted">{name}</span>
                <span className="block text-2xl font-semibold tracking-tight tabular-nums sm:mt-1 sm:text-3xl">
                  {count(total)}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {isNew ? <FirstSteps /> : <Charts dashboard={dashboard} />}
    </>
  )
}

function Loading() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">{t`Loading`}</span>
      <div aria-hidden className="grid gap-4 sm:grid-cols-3">
        {['invoices', 'customers', 'contacts'].map(total => (
          <div key={total} className="card flex h-17 items-center px-5 sm:h-24.5">
            <LoaderCircle className="size-5 animate-spin text-muted motion-reduce:animate-none" />
          </div>
        ))}
      </div>
      <div aria-hidden className="grid gap-4 lg:grid-cols-2">
        {['first', 'second', 'third', 'fourth'].map(chart => (
          <div key={chart} className="card h-110 p-5 md:h-83.5">
            <div className="skeleton h-4 w-36" />
            <div className="skeleton mt-8 h-60 rounded-lg" />
          </div>
        ))}
      </div>
    </div>
  )
}

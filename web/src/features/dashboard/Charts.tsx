import { t } from '@lingui/core/macro'
import type { Dashboard, InvoiceFigures } from '~/core'
import { paths } from '~/lib/paths'
import { useCanRead } from '~/lib/session'
import { agreementNames } from '~/lib/words'
import { ChartCard } from './ChartCard'
import { DueCard } from './DueCard'
import { amountFormats, countFormats, dayName, monthName, nameOfMonth } from './format'
import { LatestImports } from './LatestImports'
import { NewsCard } from './NewsCard'
import { StockCard } from './StockCard'
import type { Measure } from './series'

const noneIn = (count: number) => t`No data in these ${count} months.`

/**
 * The cards of the dashboard below its figures: what is due, which is the first on a phone, charts, the stock, the
 * latest changes and imports.
 */
export function Charts({ dashboard }: { dashboard: Dashboard }) {
  const { invoices, customers, contacts, imports, vehicles, agreements } = dashboard
  const mayReadHistory = useCanRead('history', paths.history)
  return (
    <>
      {agreements && <DueCard sales={agreements} />}
      {invoices && <InvoicedCard invoices={invoices} />}
      {vehicles && <StockCard stock={vehicles} />}
      {mayReadHistory && <NewsCard />}
      {agreements && (
        <ChartCard
          title={t`Vehicles sold by month`}
          head={t`Month`}
          names={agreements.months.map(({ month }) => monthName(month))}
          measures={[countsOf(t`Vehicles`, agreements.months)]}
          none={noneIn(agreements.months.length)}
        />
      )}
      {invoices && (
        <ChartCard
          title={t`Invoices by month`}
          head={t`Month`}
          names={invoices.months.map(({ month }) => monthName(month))}
          measures={[
            { name: t`Value`, values: invoices.months.map(month => month.value), formats: amountFormats() },
            countsOf(t`Invoices`, invoices.months),
          ]}
          none={noneIn(invoices.months.length)}
        />
      )}
      <NewRecordsCard customers={customers} contacts={contacts} />
      {customers && (
        <ChartCard
          title={t`Customers by agreement`}
          head={t`Agreement`}
          names={customers.agreements.map(({ agreement }) => {
            const name = agreement ? agreementNames[agreement] : t`No agreement`
            return { long: name, short: name }
          })}
          measures={[countsOf(t`Customers`, customers.agreements)]}
          shape="rows"
          none={t`No customers yet.`}
        />
      )}
      {imports && <LatestImports imports={imports} />}
    </>
  )
}

const countsOf = (name: string, counts: { count: number }[]): Measure => ({
  name,
  values: counts.map(({ count }) => count),
  formats: countFormats,
})

/** What was invoiced this month from day to day, compared with last month. */
function InvoicedCard({ invoices }: { invoices: InvoiceFigures }) {
  const { this_month, last_month, months } = invoices
  const formats = amountFormats()
  const [before, now] = months.slice(-2).map(({ month }) => nameOfMonth(month))
  const days = Math.max(this_month.length, last_month.length)
  return (
    <ChartCard
      title={t`Invoiced, this month against last`}
      head={t`Total up to day`}
      names={Array.from({ length: days }, (_, index) => dayName(index + 1))}
      measures={[
        { name: now ?? t`This month`, values: this_month, formats },
        { name: before ?? t`Last month`, values: last_month, formats },
      ]}
      shape="lines"
      none={t`No invoices in these two months.`}
    />
  )
}

/** The new customers and contacts of each month. */
function NewRecordsCard({ customers, contacts }: Pick<Dashboard, 'customers' | 'contacts'>) {
  const [first, ...others] = [
    customers && countsOf(t`Customers`, customers.months),
    contacts && countsOf(t`Contacts`, contacts.months),
  ].filter(measure => measure !== undefined)
  const months = (customers ?? contacts)?.months
  if (!first || !months) return null
  return (
    <ChartCard
      title={
        customers && contacts
          ? t`New customers and contacts by month`
          : customers
            ? t`Customers by month`
            : t`Contacts by month`
      }
      head={t`Month`}
      names={months.map(({ month }) => monthName(month))}
      measures={[first, ...others]}
      none={noneIn(months.length)}
    />
  )
}

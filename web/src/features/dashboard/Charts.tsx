import type { Dashboard, MonthCount } from '~/core'
import { ChartCard } from './ChartCard'
import { counts, monthName, sums } from './format'
import { LatestImports } from './LatestImports'

const NONE = 'Nothing in these twelve months.'

/** What was added month by month, what was agreed, and what was imported last. */
export function Charts({ dashboard }: { dashboard: Dashboard }) {
  const { invoices, customers, contacts, imports } = dashboard
  return (
    // One that has a line to itself takes all of it.
    <div className="grid gap-4 *:min-w-0 lg:grid-cols-2 lg:[&>:last-child:nth-child(odd)]:col-span-2">
      {invoices && (
        <ChartCard
          title="Invoices by month"
          head="Month"
          names={invoices.months.map(({ month }) => monthName(month))}
          measures={[
            { name: 'Invoices', values: invoices.months.map(month => month.count), writing: counts },
            { name: 'Value', values: invoices.months.map(month => month.value), writing: sums() },
          ]}
          none={NONE}
        />
      )}
      {customers && <ByMonth of="Customers" months={customers.months} />}
      {customers && (
        <ChartCard
          title="Customers by agreement"
          head="Agreement"
          names={customers.agreements.map(({ agreement = 'No agreement' }) => ({
            long: agreement,
            short: agreement,
          }))}
          measures={[
            {
              name: 'Customers',
              values: customers.agreements.map(agreement => agreement.count),
              writing: counts,
            },
          ]}
          rows
          none="No customers yet."
        />
      )}
      {contacts && <ByMonth of="Contacts" months={contacts.months} />}
      {imports && <LatestImports imports={imports} />}
    </div>
  )
}

function ByMonth({ of, months }: { of: string; months: MonthCount[] }) {
  return (
    <ChartCard
      title={`${of} by month`}
      head="Month"
      names={months.map(({ month }) => monthName(month))}
      measures={[{ name: of, values: months.map(month => month.count), writing: counts }]}
      none={NONE}
    />
  )
}

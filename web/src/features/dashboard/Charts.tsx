import { t } from '@lingui/core/macro'
import type { Dashboard, MonthCount } from '~/core'
import { agreementNames } from '~/lib/words'
import { ChartCard } from './ChartCard'
import { amountFormats, countFormats, monthName } from './format'
import { LatestImports } from './LatestImports'

const NONE = t`No data in these 12 months.`

export function Charts({ dashboard }: { dashboard: Dashboard }) {
  const { invoices, customers, contacts, imports } = dashboard
  return (
    // If the number of cards is odd, the last one spans both columns.
    <div className="grid gap-4 *:min-w-0 lg:grid-cols-2 lg:[&>:last-child:nth-child(odd)]:col-span-2">
      {invoices && (
        <ChartCard
          title={t`Invoices by month`}
          head={t`Month`}
          names={invoices.months.map(({ month }) => monthName(month))}
          measures={[
            { name: t`Invoices`, values: invoices.months.map(month => month.count), formats: countFormats },
            { name: t`Value`, values: invoices.months.map(month => month.value), formats: amountFormats() },
          ]}
          none={NONE}
        />
      )}
      {customers && <ByMonth title={t`Customers by month`} of={t`Customers`} months={customers.months} />}
      {customers && (
        <ChartCard
          title={t`Customers by agreement`}
          head={t`Agreement`}
          names={customers.agreements.map(({ agreement }) => {
            const name = agreement ? agreementNames[agreement] : t`No agreement`
            return { long: name, short: name }
          })}
          measures={[
            {
              name: t`Customers`,
              values: customers.agreements.map(agreement => agreement.count),
              formats: countFormats,
            },
          ]}
          rows
          none={t`No customers yet.`}
        />
      )}
      {contacts && <ByMonth title={t`Contacts by month`} of={t`Contacts`} months={contacts.months} />}
      {imports && <LatestImports imports={imports} />}
    </div>
  )
}

type ByMonthProps = { title: string; of: string; months: MonthCount[] }

function ByMonth({ title, of, months }: ByMonthProps) {
  return (
    <ChartCard
      title={title}
      head={t`Month`}
      names={months.map(({ month }) => monthName(month))}
      measures={[{ name: of, values: months.map(month => month.count), formats: countFormats }]}
      none={NONE}
    />
  )
}

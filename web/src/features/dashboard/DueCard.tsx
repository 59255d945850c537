import { plural, t } from '@lingui/core/macro'
import { Handshake, KeyRound } from 'lucide-react'
import { Link } from 'react-router'
import type { Due, DueAgreement, SalesFigures } from '~/core'
import { calendarDay } from '~/lib/format'
import { paths } from '~/lib/paths'
import { shownText } from '~/lib/words'
import { withWholePlates } from '~/records/vehicles/plates'
import { exclusivityDueAddress, OFFERED, toDeliverAddress } from './addresses'
import { DashboardCard } from './DashboardCard'

const icons: Record<Due, typeof KeyRound> = { Delivery: KeyRound, Exclusivity: Handshake }

/** The agreements that are due: exclusivity that ends soon, and vehicles to deliver. */
export function DueCard({ sales }: { sales: SalesFigures }) {
  const { due, exclusivity_due, to_deliver, offered } = sales
  return (
    <DashboardCard title={t`Due`} all={{ name: t`All agreements`, to: paths.agreements }}>
      {due.length === 0 && <p className="py-6 text-center text-muted">{t`Nothing is due.`}</p>}
      <ul className="divide-y divide-line">
        {due.map(agreement => (
          <Item key={`${agreement.agreement_id} ${agreement.due}`} agreement={agreement} />
        ))}
      </ul>
      <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1">
        {exclusivity_due > 0 && (
          <All to={exclusivityDueAddress()}>
            {plural(exclusivity_due, {
              one: '# exclusivity ends soon',
              other: '# exclusivities end soon',
            })}
          </All>
        )}
        {to_deliver > 0 && (
          <All to={toDeliverAddress()}>
            {plural(to_deliver, { one: '# agreement to deliver', other: '# agreements to deliver' })}
          </All>
        )}
        {offered > 0 && (
          <All to={OFFERED}>
            {plural(offered, { one: '# offer without an answer', other: '# offers without an answer' })}
          </All>
        )}
      </p>
    </DashboardCard>
  )
}

/** A link to a list of agreements, with their number as its text. */
const All = ({ to, children }: { to: string; children: string }) => (
  <Link
    to={to}
    className="inline-flex min-h-9 items-center rounded text-accent-text hover:underline touch:min-h-touch"
  >
    {children}
  </Link>
)

function titleOf({ due, agreement_type, vehicle_names, number }: DueAgreement) {
  const vehicles = withWholePlates(vehicle_names) || number
  if (due === 'Exclusivity') return t`Exclusivity for ${vehicles} ends`
  return agreement_type === 'Purchase' ? t`Take over ${vehicles}` : t`Hand over ${vehicles}`
}

function Item({ agreement }: { agreement: DueAgreement }) {
  const { agreement_id, number, customer_name, due, day } = agreement
  const Icon = icons[due]
  const when = calendarDay(day)
  return (
    <li className="relative flex items-center gap-3 py-2.5 hover:bg-subtle">
      <span
        aria-hidden
        className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-subtle text-muted"
      >
        <Icon className="size-4.5" />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to={paths.agreement(agreement_id)}
          className="line-clamp-2 font-medium [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          {titleOf(agreement)}
        </Link>
        <p className="line-clamp-2 text-xs text-muted tabular-nums">
          {[shownText(customer_name), number, due === 'Delivery' ? t`signed ${when}` : when]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </li>
  )
}

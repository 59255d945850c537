import { t } from '@lingui/core/macro'
import { Car, Handshake, KeyRound } from 'lucide-react'
import type { CustomerList } from '~/core'
import { problemOf } from '~/core/problem'
import { count } from '~/lib/format'
import type { Outcome } from '~/lib/load'
import { NONE } from '~/ui/Card'

const cards = [
  {
    title: t`Total purchasing customers`,
    caption: t`Purchased vehicles`,
    icon: Car,
    stat: 'purchaseAgreements',
  },
  { title: t`Total sales customers`, caption: t`Vehicles sold`, icon: KeyRound, stat: 'salesAgreements' },
  {
    title: t`Total brokerage clients`,
    caption: t`Brokered vehicles`,
    icon: Handshake,
    stat: 'otherAgreements',
  },
] as const

/** Cards with the number of all customers of the corporation by type of agreement, independent of search and filter. */
export function CustomerStats({ outcome }: { outcome: Outcome<CustomerList> | undefined }) {
  if (outcome && !outcome.ok && problemOf(outcome.error)?.status === 403) return null
  return (
    <dl aria-busy={!outcome} className="mb-4 grid gap-2 sm:grid-cols-3 md:mb-6 md:gap-4">
      {cards.map(({ title, caption, icon: Icon, stat }) => (
        <div
          key={title}
          className="card grid grid-cols-[1fr_auto] items-center gap-x-3 px-4 py-2.5 sm:grid-rows-[1fr_auto_auto] md:p-4 lg:p-5"
        >
          <dt className="self-start font-medium">{title}</dt>
          <dd className="row-span-2 text-2xl leading-8 font-semibold tracking-tight tabular-nums sm:order-1 sm:col-span-2 sm:row-span-1 sm:mt-2">
            {!outcome && <span className="skeleton my-1 block h-6 w-14" />}
            {outcome && (outcome.ok ? count(outcome.value.stats[stat] ?? 0) : NONE)}
          </dd>
          <dd className="text-muted sm:order-2 sm:col-span-2">{caption}</dd>
          <Icon aria-hidden className="size-5 self-start text-muted max-lg:hidden" />
        </div>
      ))}
    </dl>
  )
}

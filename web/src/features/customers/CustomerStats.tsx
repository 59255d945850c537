import { t } from '@lingui/core/macro'
import { Car, Handshake, KeyRound } from 'lucide-react'
import type { CustomerList } from '~/core'
import { isForbidden } from '~/core/problem'
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
  if (outcome && !outcome.ok && isForbidden(outcome.error)) return null
  return (
    <dl
      aria-busy={!outcome}
      className="mb-4 grid grid-cols-3 max-md:rounded-xl max-md:border max-md:border-line max-md:bg-card max-md:divide-x max-md:divide-line md:mb-6 md:gap-4"
    >
      {cards.map(({ title, caption, icon: Icon, stat }) => (
        <div
          key={title}
          className="px-3 py-2.5 max-md:flex max-md:flex-col-reverse max-md:justify-end md:grid md:rounded-xl md:border md:border-line md:bg-card md:grid-cols-[1fr_auto] md:grid-rows-[1fr_auto_auto] md:gap-x-3 md:p-4 lg:p-5"
        >
          <dt className="hyphens-auto [overflow-wrap:anywhere] max-md:text-xs max-md:text-muted md:font-medium">
            {title}
          </dt>
          <dd className="text-xl leading-7 font-semibold tracking-tight tabular-nums md:order-1 md:col-span-2 md:mt-2 md:text-2xl md:leading-8">
            {!outcome && <span className="skeleton my-1 block h-6 w-14" />}
            {outcome && (outcome.ok ? count(outcome.value.stats[stat] ?? 0) : NONE)}
          </dd>
          <dd className="text-muted max-md:hidden md:order-2 md:col-span-2">{caption}</dd>
          <Icon aria-hidden className="size-5 self-start text-muted max-lg:hidden" />
        </div>
      ))}
    </dl>
  )
}

import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import type { Agreement, AgreementType, Leg, Vehicle } from '~/core'
import { count, ownMoney } from '~/lib/format'
import { paths } from '~/lib/paths'
import { vatSchemeNames } from '~/lib/words'
import { CardFailed } from '~/records/CardState'
import { RecordLink } from '~/records/RecordLink'
import { useLists } from '~/records/useFields'
import { Cover } from '~/records/vehicles/Cover'
import { useMayReadCosts } from '~/records/vehicles/costs'
import { mileageText } from '~/records/vehicles/mileage'
import { Plate } from '~/records/vehicles/Plate'
import { withWholePlates } from '~/records/vehicles/plates'
import { useSettling } from '~/ui/useSettling'
import { AgreementMargin, MarginLoading } from './AgreementMargin'
import { Direction } from './Direction'
import { MarginDetails } from './MarginDetails'
import { NoVehicleAccess } from './NoVehicleAccess'
import type { LegFactsState } from './useLegFacts'
import { inputOf, toInput } from './values'

type Props = { agreement: Agreement; facts: LegFactsState }

/**
 * The vehicles of an agreement with their prices, its totals and, for users who may read costs, the margin. Nothing is
 * to pay or earned if the agreement is cancelled.
 */
export function LegsCard({ agreement, facts }: Props) {
  const { legs } = agreement
  const { vehicles, mayRead, error, retry } = facts
  const mayReadCosts = useMayReadCosts()
  const { rules, isFailed } = useLists()
  const totals = rules?.agreementBalance(toInput(rules, inputOf(agreement), true), agreement, [], 0).totals
  // If the rules failed to load, the amount is shown without its sign.
  const paid = isFailed ? agreement.deposit : totals?.deposit
  const isLoading = (!vehicles && error === undefined) || (!rules && !isFailed)
  return (
    <section aria-labelledby="legs" className="card overflow-hidden" data-settling={useSettling(isLoading)}>
      <h2 id="legs" className="px-5 pt-5 text-sm font-semibold">
        {t`Vehicles`}{' '}
        {legs.length > 0 && (
          <span className="ml-2 font-normal text-muted tabular-nums">{count(legs.length)}</span>
        )}
      </h2>
      {isLoading && <span role="status" className="sr-only">{t`Loading`}</span>}
      {legs.length === 0 ? (
        mayRead ? (
          <p className="p-5 pt-4 text-muted">{t`No vehicles yet. Edit the agreement to add one.`}</p>
        ) : (
          <NoVehicleAccess className="m-5 mt-4" />
        )
      ) : (
        <>
          <ul className="mt-4 divide-y divide-line border-y border-line">
            {legs.map(leg => (
              <LegRow
                key={leg.vehicle_id}
                leg={leg}
                vehicle={vehicles?.find(({ vehicle_id }) => vehicle_id === leg.vehicle_id)}
                isDeleted={mayRead && facts.isCurrent}
                isLoading={isLoading}
              />
            ))}
          </ul>
          <TotalLines agreement={agreement} paid={paid} />
        </>
      )}
      {error !== undefined && (
        <div className="border-t border-line p-5">
          <CardFailed error={error} failed={t`Failed to load vehicles.`} onRetry={retry} />
        </div>
      )}
      {mayReadCosts && agreement.state !== 'Cancelled' && legs.length > 0 && (
        <MarginDetails>
          {vehicles && !isLoading ? (
            <AgreementMargin agreement={agreement} vehicles={vehicles} />
          ) : (
            // Usually there is a margin if something is sold, so it has a placeholder.
            isLoading && legs.some(({ direction }) => direction === 'Out') && <MarginLoading />
          )}
        </MarginDetails>
      )}
    </section>
  )
}

type RowProps = {
  leg: Leg
  vehicle: Vehicle | undefined
  /** A vehicle that is not there is deleted. */
  isDeleted: boolean
  isLoading: boolean
}

function LegRow({ leg, vehicle, isDeleted, isLoading }: RowProps) {
  const { direction, price, vat_scheme, name = '' } = leg
  const facts = vehicle && [vehicle.model_year, mileageText(vehicle), vehicle.stock_number]
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5 sm:grid sm:grid-cols-[5.5rem_auto_1fr_auto]">
      <Direction way={direction} className="max-sm:basis-full" />
      <Cover vehicle={vehicle ?? { photos: [] }} className="h-12 w-16" />
      {/* If the text is large, the name takes the whole width, below the photo. */}
      <div className="min-w-0 flex-1 basis-36">
        {vehicle ? (
          <RecordLink
            to={paths.vehicle(vehicle.vehicle_id)}
            list={paths.vehicles}
            className="rounded font-medium [overflow-wrap:anywhere] after:absolute after:inset-0 hover:underline"
          >
            {withWholePlates(vehicle.name)}
          </RecordLink>
        ) : (
          <span className="font-medium [overflow-wrap:anywhere]">{withWholePlates(name) || t`Vehicle`}</span>
        )}
        <p className="mt-1 flex min-h-5.5 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted tabular-nums">
          {vehicle && (
            <>
              <Plate country={vehicle.registration_country} number={vehicle.registration_number} />
              {facts?.filter(Boolean).join(' · ')}
            </>
          )}
          {isLoading && <span aria-hidden className="skeleton h-5 w-48 max-w-full" />}
          {!vehicle && isDeleted && t`This vehicle has been deleted.`}
        </p>
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 max-sm:basis-full sm:block sm:text-right">
        <p className="font-semibold tabular-nums sm:text-base">
          {price === undefined ? (
            <span className="inline-flex items-center gap-1.5 text-sm font-normal text-muted">
              <Lock aria-hidden className="size-3.5" />
              {t`Hidden`}
            </span>
          ) : direction === 'In' ? (
            ownMoney(-price)
          ) : (
            ownMoney(price)
          )}
        </p>
        <p className="text-xs text-muted">{vatSchemeNames[vat_scheme]}</p>
      </div>
    </li>
  )
}

/** Returns what the last total of an agreement is called. In an agency the customer owns the vehicles, and another pays. */
function payName(type: AgreementType, to_pay: number) {
  if (to_pay < 0) return t`To pay to the customer`
  return type === 'Agency' ? t`The buyer pays at delivery` : t`To pay at delivery`
}

type TotalsProps = {
  agreement: Agreement
  /** The deposit as it counts in the amount to pay; undefined while that is not known. */
  paid: number | undefined
}

/** The totals of an agreement. Those that the user may not see are missing. */
function TotalLines({ agreement, paid }: TotalsProps) {
  const { type, state, legs, out_total, in_total, deposit, to_pay } = agreement
  const hasOut = legs.some(({ direction }) => direction !== 'In')
  const hasIn = legs.some(({ direction }) => direction === 'In')
  const lines: [name: string, amount: string][] = []
  if (hasOut) lines.push([t`Vehicles out`, ownMoney(out_total)])
  if (hasIn && in_total !== undefined) lines.push([t`Vehicles in`, ownMoney(-in_total)])
  if (deposit !== undefined) lines.push([t`Deposit`, paid === undefined ? '' : ownMoney(paid)])
  return (
    <div className="ml-auto max-w-md px-5 py-4">
      <dl className="grid gap-y-2 tabular-nums">
        {lines.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted">{name}</dt>
            <dd className="ml-auto">{value}</dd>
          </div>
        ))}
        {to_pay !== undefined && state !== 'Cancelled' && (
          <div className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-2 text-base font-semibold narrow:text-sm">
            <dt>{payName(type, to_pay)}</dt>
            <dd className="ml-auto">{ownMoney(Math.abs(to_pay))}</dd>
          </div>
        )}
      </dl>
      {to_pay === undefined && (
        <p className="mt-2 flex items-start gap-2 text-xs text-muted">
          <Lock aria-hidden className="mt-px size-3.5 shrink-0" />
          {t`Only roles with Costs and margins can see the prices of vehicles taken in.`}
        </p>
      )}
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { TrendingDown } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { core, type Vehicle } from '~/core'
import type { ListsCore, Margin } from '~/core/lists'
import { isConflict } from '~/core/problem'
import { textOf } from '~/language'
import { createResolver, useSubmit } from '~/lib/form'
import { ownCurrency, ownMoney } from '~/lib/format'
import { today } from '~/lib/today'
import { CardFailed, CardLoading } from '~/records/CardState'
import { useLists } from '~/records/useFields'
import { useVatRate } from '~/records/vehicles/costs'
import { MarginLines } from '~/records/vehicles/MarginLines'
import { consignedText } from '~/records/vehicles/words'
import { Button } from '~/ui/Button'
import { Card, Facts } from '~/ui/Card'
import { ErrorNotice } from '~/ui/Notice'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { Unsaved } from '~/ui/Unsaved'
import { withoutCostInput } from './costs'
import { PriceScale } from './PriceScale'
import { inputOf, storedOf } from './values'

type Props = { vehicle: Vehicle; mayUpdate: boolean; onSaved: (vehicle: Vehicle) => void }

/** What a sold vehicle has cost. The price and the margin of the sale are in its agreement. */
function SoldPrices({ vehicle, rules }: { vehicle: Vehicle; rules: ListsCore }) {
  const { purchase_price, costs = [] } = vehicle
  const [net = 0] = rules.costTotals(costs)
  return (
    <>
      <p className="mb-3">{t`This vehicle is sold. Its agreement has the price and the margin.`}</p>
      <Facts
        facts={[
          [t`Purchase price`, purchase_price !== undefined && ownMoney(purchase_price)],
          [t`Costs, net`, ownMoney(net)],
        ]}
      />
    </>
  )
}

/**
 * The card in which the asking price is changed, until the vehicle is sold. It shows the margin of a sale at this price,
 * while the user types. A price that was typed stays when `vehicle` changes; another `key` discards it.
 */
export function PriceCard(props: Props) {
  const { rules, isFailed, retry } = useLists()
  return (
    <Card
      title={t`Price and margin`}
      subtitle={t`Visible only to roles with Costs and margins.`}
      isInternal
      isLoading={!rules && !isFailed}
    >
      {isFailed ? (
        <CardFailed failed={t`Failed to load the margin.`} onRetry={retry} />
      ) : rules && props.vehicle.status === 'Sold' ? (
        <SoldPrices vehicle={props.vehicle} rules={rules} />
      ) : rules ? (
        <Prices {...props} rules={rules} />
      ) : (
        <CardLoading lines={6} />
      )}
    </Card>
  )
}

function Prices({ vehicle, mayUpdate, onSaved, rules }: Props & { rules: ListsCore }) {
  const rate = useVatRate()
  const { revalidate } = useRevalidator()
  const { vehicle_id, version, purchase_price, ownership, vat_scheme } = vehicle
  const input = inputOf(vehicle)
  const form = useForm({
    mode: 'onChange',
    resolver: createResolver<{ asking_price: string }>((_, price) =>
      rules.checkVehicle({ ...input, ...price }, storedOf(vehicle), today()),
    ),
    values: { asking_price: input.asking_price },
    resetOptions: { keepDirtyValues: true, keepDirty: true },
  })
  const { submit, error } = useSubmit(form, t`Failed to update vehicle.`, async price => {
    try {
      const saved = await core.updateRecord('vehicles', vehicle_id, {
        ...withoutCostInput(input),
        ...price,
        version,
      })
      form.reset(
        { asking_price: inputOf(saved).asking_price },
        { keepFieldsRef: true, keepDirtyValues: false, keepDirty: false },
      )
      // The button that saved it is gone.
      form.setFocus('asking_price')
      onSaved(saved)
    } catch (thrown) {
      // Reloads the vehicle that another user has changed, so that saving again is based on the new version.
      if (isConflict(thrown)) void revalidate()
      throw thrown
    }
    toast.success(textOf(core.recordTexts('vehicles').updated))
  })
  const { asking_price } = form.watch()
  const margin = rules.vehicleMargin({ ...input, asking_price }, rate)
  const discount = ownMoney(margin?.discount ?? 0)
  const lost = ownMoney(margin?.discount_cost ?? 0)
  return (
    <>
      <ErrorNotice className="mb-4" message={error} />
      <form noValidate aria-label={t`Price and margin`} onSubmit={submit} className="flex flex-wrap gap-x-2">
        <TextField
          control={form.control}
          name="asking_price"
          label={t`Asking price`}
          unit={ownCurrency()}
          className="flex-1 basis-40"
          inputMode="decimal"
          autoComplete="off"
          readOnly={!mayUpdate}
        />
        {form.formState.isDirty && (
          <Button kind="primary" type="submit" className="mt-6.5" busy={form.formState.isSubmitting}>
            {t`Save price`}
          </Button>
        )}
      </form>
      {form.formState.isDirty && (
        <Unsaved dirty isAsking={false} isDraftStored={false} onKeep={() => {}} onDiscard={() => {}} />
      )}
      {margin ? (
        <MarginFacts vehicle={vehicle} margin={margin} rate={rate} />
      ) : (
        <p className="mt-2 text-muted">
          {purchase_price !== undefined
            ? t`Enter the asking price to see the margin.`
            : ownership === 'Consigned'
              ? consignedText()
              : t`Enter the purchase price to see the margin.`}
        </p>
      )}
      {margin && vat_scheme === 'Margin' && (
        <p className="mt-3 flex items-start gap-2 text-xs text-muted">
          <TrendingDown aria-hidden className="size-4 shrink-0" />
          {t`Each ${discount} off the price reduces the margin by ${lost}.`}
        </p>
      )}
    </>
  )
}

type FactsProps = { vehicle: Vehicle; margin: Margin; rate: number }

function MarginFacts({ vehicle, margin, rate }: FactsProps) {
  const { purchase_price = 0, minimum_price, vat_scheme } = vehicle
  const names = {
    price: t`Asking price`,
    vat: vat_scheme === 'Margin' ? t`VAT on the margin` : t`VAT in the price`,
    profit: t`Margin if sold at this price`,
  }
  return (
    <>
      <PriceScale breakEven={margin.break_even} lowest={minimum_price} asking={margin.price} />
      <div className="mt-3">
        <MarginLines margin={margin} purchase={purchase_price} rate={rate} names={names} />
      </div>
    </>
  )
}

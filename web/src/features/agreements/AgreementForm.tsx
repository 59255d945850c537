import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Agreement, Vehicle } from '~/core'
import type { ListsCore } from '~/core/lists'
import { textOf } from '~/language'
import { calendarDay } from '~/lib/format'
import { paths } from '~/lib/paths'
import { useRequest } from '~/lib/request'
import { useCanRead } from '~/lib/session'
import { agreementNames, directionNames, warrantyNames } from '~/lib/words'
import { RecordForm } from '~/records/RecordForm'
import { RulesForm } from '~/records/RulesForm'
import type { FormDialog } from '~/records/useDialogs'
import { formTitles, useKindForm } from '~/records/useKindForm'
import { useMayReadCosts } from '~/records/vehicles/costs'
import { completeDateOf, DateField } from '~/ui/DateField'
import { Notice } from '~/ui/Notice'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { BalanceText } from './BalanceText'
import { kind } from './kind'
import { LegsField } from './LegsField'
import { PartyFields } from './PartyFields'
import { loadVehicles } from './useLegFacts'
import { inputOf, type LegValues, newLeg, toInput } from './values'
import { typeTitles } from './words'

const choicesOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

const showDay = (date: string) => completeDateOf(date) && calendarDay(date)
const linked = (id: string) => (id ? t`Linked` : t`Not linked`)

const legText = ({ direction, price }: LegValues) =>
  [(directionNames as Record<string, string>)[direction], price].filter(Boolean).join(' ')

const fields = {
  type: { label: t`Type`, show: (type: string) => (agreementNames as Record<string, string>)[type] ?? '' },
  customer: t`Customer`,
  customer_id: { label: t`Linked customer`, show: linked },
  contact_id: { label: t`Contact`, show: linked },
  legs: { label: t`Vehicles`, show: (legs: LegValues[]) => legs.map(legText).join('; ') },
  deposit: t`Deposit`,
  commission: t`Commission`,
  commission_percent: t`Commission in percent`,
  minimum_price: t`Minimum price`,
  exclusive_until: { label: t`Exclusive until`, show: showDay },
  warranty: {
    label: t`Warranty`,
    show: (kind: string) => (warrantyNames as Record<string, string>)[kind] ?? '',
  },
  warranty_months: t`Months of warranty`,
  warranty_distance: t`Distance of warranty`,
  agreed_on: { label: t`Agreed on`, show: showDay },
  delivered_on: { label: t`Delivered on`, show: showDay },
  notes: t`Notes`,
}

type Props = FormDialog<Agreement, Agreement> & {
  /** The vehicle with which a new agreement begins. */
  vehicle?: Vehicle | undefined
}

/** Creates or edits an agreement. Its rules are loaded with those of lists. */
export function AgreementForm(props: Props) {
  return (
    <RulesForm wide {...formTitles(kind, props.record)} onClose={props.onClose}>
      {rules => <LoadedForm {...props} rules={rules} />}
    </RulesForm>
  )
}

/** Returns the vehicles with these ids that are known so far: the chosen ones, and those that have been loaded. */
function useVehicles(ids: string[], chosen: Vehicle[]): Vehicle[] {
  const mayRead = useCanRead('vehicles', paths.vehicles)
  const missing = ids.filter(id => !chosen.some(({ vehicle_id }) => vehicle_id === id)).join()
  const request = useMemo(
    () =>
      mayRead && missing ? (signal: AbortSignal) => loadVehicles(missing.split(','), signal) : undefined,
    [mayRead, missing],
  )
  const { outcome } = useRequest(request)
  return outcome?.ok ? [...chosen, ...outcome.value] : chosen
}

function LoadedForm({
  record: agreement,
  vehicle: first,
  onClose,
  onSaved,
  rules,
}: Props & { rules: ListsCore }) {
  const mayReadCosts = useMayReadCosts()
  const [present, setPresent] = useState(agreement)
  const [chosen, setChosen] = useState<Vehicle[]>(first ? [first] : [])
  const state = useKindForm({
    kind,
    draft: `agreement ${agreement?.agreement_id ?? ''} ${first?.vehicle_id ?? ''}`,
    record: agreement,
    inputOf,
    defaultValues: { ...inputOf(agreement), ...(first && { legs: [newLeg(first)] }) },
    fields,
    onConflict: latest => {
      setPresent(latest)
      // What the new state fixes can't be saved, and its fields are disabled: they take the present values.
      const values = inputOf(latest)
      for (const { field } of rules.fixedFields(latest.state)) {
        const name = field as keyof typeof values
        state.form.setValue(name, values[name])
      }
    },
    check: (_, values) => rules.checkAgreement(toInput(values, mayReadCosts), present),
    bodyOf: values => toInput(values, mayReadCosts),
    onSaved,
  })
  const { form } = state
  const reasons = present ? rules.fixedFields(present.state) : []
  const fixed: ReadonlySet<string> = new Set(reasons.map(({ field }) => field))
  const sentences = new Set(reasons.map(({ message }) => textOf(message)))
  const field = (name: Parameters<typeof state.field>[0]) => ({
    ...state.field(name),
    disabled: fixed.has(name),
  })
  const [type, warranty, legs] = useWatch({ control: form.control, name: ['type', 'warranty', 'legs'] })
  const vehicles = useVehicles(
    legs.map(({ vehicle_id }) => vehicle_id),
    chosen,
  )
  const exclusiveUntil = (
    <DateField {...field('exclusive_until')} help={t`Until then, nobody else may sell the vehicles.`} />
  )
  const warrantyField = {
    autoComplete: 'off',
    inputMode: 'numeric' as const,
    className: warranty === 'None' ? 'hidden!' : undefined,
  }
  return (
    <RecordForm
      state={state}
      {...formTitles(kind, agreement)}
      description={agreement && `${agreement.number} · ${typeTitles[agreement.type]}`}
      wide
      onClose={onClose}
    >
      {sentences.size > 0 && (
        <Notice kind="info" className="mb-5">
          {[...sentences].join(' ')}
        </Notice>
      )}
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {!agreement && (
          <SelectField {...field('type')} choices={choicesOf(agreementNames)} className="sm:col-span-2" />
        )}
        <PartyFields form={form} labels={{ customer: t`Customer`, contact: t`Contact` }} fixed={fixed} />
        <LegsField
          form={form}
          rules={rules}
          type={type}
          vehicles={vehicles}
          disabled={fixed.has('legs')}
          onVehicle={vehicle => setChosen(known => [...known, vehicle])}
        />
        <BalanceText form={form} rules={rules} agreement={present} vehicles={vehicles} />
        <TextField {...field('deposit')} autoComplete="off" inputMode="decimal" />
        {mayReadCosts ? (
          <TextField
            {...field('minimum_price')}
            autoComplete="off"
            inputMode="decimal"
            help={t`Not shown to the customer.`}
          />
        ) : (
          exclusiveUntil
        )}
        {type === 'Agency' && (
          <>
            <TextField {...field('commission')} autoComplete="off" inputMode="decimal" />
            <TextField
              {...field('commission_percent')}
              autoComplete="off"
              inputMode="decimal"
              help={t`The commission is an amount or a percentage.`}
            />
          </>
        )}
        <DateField {...field('agreed_on')} help={t`Empty means the day of signing.`} />
        <DateField {...field('delivered_on')} help={t`Empty means the day of delivery.`} />
        {mayReadCosts && exclusiveUntil}
        <SelectField
          {...field('warranty')}
          choices={choicesOf(warrantyNames)}
          className={mayReadCosts ? undefined : 'sm:col-span-2'}
        />
        <TextField {...field('warranty_months')} {...warrantyField} />
        <TextField {...field('warranty_distance')} {...warrantyField} />
        <TextField {...field('notes')} lines={3} className="sm:col-span-2" />
      </div>
    </RecordForm>
  )
}

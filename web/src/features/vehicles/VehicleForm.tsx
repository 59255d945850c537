import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Vehicle } from '~/core'
import type { ListsCore } from '~/core/lists'
import { calendarDay } from '~/lib/format'
import { paths } from '~/lib/paths'
import { usePermissions, useSession } from '~/lib/session'
import {
  costKindNames,
  fuelNames,
  ownershipNames,
  transmissionNames,
  vatSchemeNames,
  vehicleStatusNames,
} from '~/lib/words'
import { RecordForm } from '~/records/RecordForm'
import { RulesForm } from '~/records/RulesForm'
import type { FormDialog } from '~/records/useDialogs'
import { formTitles, useKindForm } from '~/records/useKindForm'
import { useMayReadCosts } from '~/records/vehicles/costs'
import { completeDateOf, DateField } from '~/ui/DateField'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { CostsField } from './CostsField'
import { type CostValues, withoutCostInput } from './costs'
import { kind } from './kind'
import { MarginText } from './MarginText'
import { MoreDetails } from './MoreDetails'
import { PhotoPicker, useChosenPhotos } from './photos/PhotoPicker'
import { upload } from './photos/uploads'
import { VinField } from './VinField'
import { inputOf, storedOf } from './values'

/** Returns the choices of a select for these values (by default all), labelled with their names. */
const choicesOf = <V extends string>(names: Record<V, string>, values = Object.keys(names) as V[]) =>
  values.map(value => ({ value, label: names[value] }))

/** Returns the label and the format of a choice field. */
const choice = (label: string, names: Record<string, string>) => ({
  label,
  show: (value: string) => names[value] ?? '',
})

const units = { mi: t`miles`, km: t`kilometres` }

const fields = {
  registration_number: t`Registration number`,
  registration_country: t`Country of registration`,
  vin: t`VIN`,
  make: t`Make`,
  model: t`Model`,
  variant: t`Variant`,
  model_year: t`Model year`,
  first_registered: {
    label: t`First registered`,
    show: (date: string) => completeDateOf(date) && calendarDay(date),
  },
  body: t`Body`,
  fuel: choice(t`Fuel`, fuelNames),
  transmission: choice(t`Transmission`, transmissionNames),
  colour: t`Colour`,
  mileage: t`Mileage`,
  mileage_unit: choice(t`Unit of mileage`, units),
  mileage_remark: t`Remark on mileage`,
  status: choice(t`Status`, vehicleStatusNames),
  ownership: choice(t`Ownership`, ownershipNames),
  vat_scheme: choice(t`VAT scheme`, vatSchemeNames),
  asking_price: t`Asking price`,
  purchase_price: t`Purchase price`,
  minimum_price: t`Minimum price`,
  costs: { label: t`Costs`, show: (costs: CostValues[]) => costs.map(costText).join('; ') },
  in_stock_on: {
    label: t`In stock since`,
    show: (date: string) => completeDateOf(date) && calendarDay(date),
  },
  location: t({ message: 'Location', context: 'vehicle' }),
  notes: t`Notes`,
}

const costText = ({ date, kind, note, net, vat }: CostValues) =>
  [
    completeDateOf(date) && calendarDay(date),
    (costKindNames as Record<string, string>)[kind],
    note,
    vat ? t`${net} + ${vat} VAT` : net,
  ]
    .filter(Boolean)
    .join(' ')

/** The fields that the form of a new vehicle hides at first. */
const DETAILS = [
  'registration_country',
  'vin',
  'variant',
  'model_year',
  'mileage_remark',
  'fuel',
  'transmission',
  'first_registered',
  'in_stock_on',
  'body',
  'colour',
  'location',
  'ownership',
  'vat_scheme',
  'notes',
  'costs',
] as const

const UNKNOWN = { value: '', label: t({ message: 'Unknown', context: 'vehicle' }) }

/** The form that creates or edits a vehicle. It needs the wasm rules of lists, which contain those of vehicles. */
export function VehicleForm(props: FormDialog<Vehicle>) {
  return (
    <RulesForm wide {...formTitles(kind, props.record)} onClose={props.onClose}>
      {rules => <LoadedForm {...props} rules={rules} />}
    </RulesForm>
  )
}

function LoadedForm({
  record: vehicle,
  startsAt,
  onClose,
  onSaved,
  rules,
}: FormDialog<Vehicle> & { rules: ListsCore }) {
  const mayReadCosts = useMayReadCosts()
  const mayAddPhotos = usePermissions(paths.vehicles).can_update
  const { country } = useSession().profile.corp
  const [present, setPresent] = useState(vehicle)
  const photos = useChosenPhotos()
  const state = useKindForm({
    kind,
    record: vehicle,
    inputOf,
    fields,
    onConflict: setPresent,
    check: (_, values) =>
      rules.checkVehicle(
        { ...values, registration_country: values.registration_country || country },
        storedOf(present),
      ),
    bodyOf: values => (mayReadCosts ? values : withoutCostInput(values)),
    onSaved: saved => {
      if (photos.files.length > 0) upload(saved.vehicle_id, photos.files)
      onSaved(saved)
    },
  })
  const { field, form, modal } = state
  const { errors, dirtyFields } = form.formState
  const statuses = rules.vehicleStatuses(present?.status)
  return (
    <RecordForm
      state={{ ...state, modal: { ...modal, dirty: modal.dirty || photos.files.length > 0 } }}
      {...formTitles(kind, vehicle)}
      description={vehicle?.name}
      wide
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField
          {...field('registration_number')}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          className="sm:col-span-2 [&_input]:h-13 [&_input]:text-xl [&_input]:font-semibold [&_input]:uppercase [&_input]:tracking-wide"
        />
        {!vehicle && mayAddPhotos && <PhotoPicker {...photos} />}
        <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:contents">
          <TextField {...field('make')} autoComplete="off" />
          <TextField {...field('model')} autoComplete="off" />
          <TextField {...field('mileage')} autoComplete="off" inputMode="numeric" />
          <SelectField
            {...field('mileage_unit')}
            choices={[{ value: '', label: t`As usual in the country` }, ...choicesOf(units)]}
          />
          <TextField {...field('asking_price')} autoComplete="off" inputMode="decimal" />
          <SelectField {...field('status')} choices={choicesOf(vehicleStatusNames, statuses)} />
          {mayReadCosts && (
            <>
              <TextField {...field('purchase_price')} autoComplete="off" inputMode="decimal" />
              <TextField {...field('minimum_price')} autoComplete="off" inputMode="decimal" />
            </>
          )}
        </div>
        {mayReadCosts && <MarginText form={form} rules={rules} />}
        <MoreDetails
          isFixed={!!vehicle}
          hasError={DETAILS.some(name => errors[name])}
          isRestored={state.discardDraft !== undefined && DETAILS.some(name => dirtyFields[name])}
        >
          <VinField field={field('vin')} form={form} rules={rules} />
          <TextField
            {...field('registration_country')}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            maxLength={2}
            placeholder={country}
            help={t`Two letters, for example SE. Empty means ${country}.`}
          />
          <TextField {...field('variant')} autoComplete="off" />
          <TextField {...field('model_year')} autoComplete="off" inputMode="numeric" />
          <DateField {...field('first_registered')} />
          <TextField
            {...field('mileage_remark')}
            autoComplete="off"
            className="sm:col-span-2"
            help={t`Needed if the mileage is lower than before, for example after the instrument was replaced.`}
          />
          <SelectField {...field('fuel')} choices={[UNKNOWN, ...choicesOf(fuelNames)]} />
          <SelectField {...field('transmission')} choices={[UNKNOWN, ...choicesOf(transmissionNames)]} />
          <TextField {...field('body')} autoComplete="off" />
          <TextField {...field('colour')} autoComplete="off" />
          <DateField {...field('in_stock_on')} />
          <TextField {...field('location')} autoComplete="off" help={t`Where the vehicle stands.`} />
          <SelectField {...field('ownership')} choices={choicesOf(ownershipNames)} />
          <SelectField {...field('vat_scheme')} choices={choicesOf(vatSchemeNames)} />
          <TextField {...field('notes')} lines={3} className="sm:col-span-2" />
          {mayReadCosts && <CostsField form={form} rules={rules} isStart={startsAt === 'costs'} />}
        </MoreDetails>
      </div>
    </RecordForm>
  )
}

import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Vehicle } from '~/core'
import { calendarDay } from '~/lib/format'
import { paths } from '~/lib/paths'
import { usePermissions, useSession } from '~/lib/session'
import { today } from '~/lib/today'
import { costKindNames, vehicleStatusNames } from '~/lib/words'
import { RecordForm } from '~/records/RecordForm'
import { type Loaded, withRules } from '~/records/RulesForm'
import { formTitles, useKindForm } from '~/records/useKindForm'
import { useMayReadCosts } from '~/records/vehicles/costs'
import type { VehicleDialog } from '~/records/vehicles/vehicleForm'
import { choicesOf } from '~/ui/choices'
import { completeDateOf } from '~/ui/DateField'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { CostsField } from './CostsField'
import {
  type CostValues,
  checkTouchedCosts,
  isUntouched,
  newCost,
  withoutCostInput,
  withoutStoredCosts,
  withoutUntouchedCosts,
} from './costs'
import { kind } from './kind'
import { MarginText } from './MarginText'
import { MoreDetails } from './MoreDetails'
import { PhotoPicker, useChosenPhotos } from './photos/PhotoPicker'
import { upload } from './photos/uploads'
import { SameNumberNotice } from './SameNumberNotice'
import { VinField } from './VinField'
import { inputOf, storedOf, withStockDay } from './values'

const units: Record<string, string> = { mi: t`miles`, km: t`kilometres` }

// Those of the other fields follow from the list's fields.
const labels = {
  mileage_unit: {
    label: t`Mileage unit`,
    show: (unit: string) => units[unit] ?? '',
  },
  costs: {
    label: t`Costs`,
    show: (costs: CostValues[]) =>
      costs
        .filter(cost => !isUntouched(cost))
        .map(costText)
        .join('; '),
  },
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

const none = { value: '', label: t({ message: 'Unknown', context: 'vehicle' }) }

/** Returns the form values of a vehicle with another, untouched cost. */
function inputWithNewCost(vehicle?: Vehicle) {
  const input = inputOf(vehicle)
  return { ...input, costs: [...input.costs, newCost()] }
}

/** The form that creates or edits a vehicle. */
export const VehicleForm = withRules(LoadedForm, record => formTitles(kind, record), true)

function LoadedForm(props: Loaded<VehicleDialog>) {
  const { record: vehicle, startsAt, initial, draft, onSaved, rules, dialog } = props
  const mayReadCosts = useMayReadCosts()
  const mayAddPhotos = usePermissions(paths.vehicles).can_update
  const { country } = useSession().profile.corp
  const [present, setPresent] = useState(vehicle)
  const photos = useChosenPhotos(!vehicle)
  const state = useKindForm({
    kind,
    rules,
    draft,
    record: vehicle,
    // Among the initial values, so that the added cost is no unsaved change until the user enters something.
    inputOf: startsAt === 'costs' ? inputWithNewCost : inputOf,
    defaultValues: initial && { ...inputOf(), ...initial },
    labels,
    onConflict: setPresent,
    check: (_, values) =>
      checkTouchedCosts(values, touched =>
        rules.checkVehicle(
          { ...touched, registration_country: touched.registration_country || country },
          storedOf(present),
          today(),
        ),
      ),
    bodyOf: values => {
      const sent = withoutUntouchedCosts(withStockDay(rules, values, present))
      if (!mayReadCosts) return withoutCostInput(sent)
      return vehicle && present ? withoutStoredCosts(sent, present) : sent
    },
    onSaved: saved => {
      if (photos.files.length > 0) upload(saved, photos.files)
      onSaved(saved)
    },
  })
  const { field, input, form, modal, discardDraft, sentAt } = state
  const { errors, dirtyFields } = form.formState
  const [registration_number, vin, registeredIn, scheme] = form.watch([
    'registration_number',
    'vin',
    'registration_country',
    'vat_scheme',
  ])
  const usualUnit = units[rules.usualMileageUnit(registeredIn.trim().toUpperCase() || country)] ?? ''
  const statuses = rules.vehicleStatuses(present?.status)
  return (
    <RecordForm
      state={{
        ...state,
        modal: { ...modal, dirty: modal.dirty || photos.files.length > 0 },
        discardDraft:
          discardDraft &&
          (() => {
            photos.forgetLost()
            discardDraft()
          }),
      }}
      {...dialog}
      draftNote={
        photos.lost > 0 &&
        plural(photos.lost, {
          one: 'The photo was not saved with the draft. Add it again.',
          other: 'The photos were not saved with the draft. Add them again.',
        })
      }
      description={vehicle?.name}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField
          {...field('registration_number')}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          className="sm:col-span-2 [&_input]:h-13 [&_input]:text-xl [&_input]:font-semibold [&_input]:uppercase [&_input]:tracking-wide"
        />
        <SameNumberNotice
          // A new vehicle may begin with one.
          registration_number={!vehicle || dirtyFields.registration_number ? registration_number : ''}
          vin={dirtyFields.vin ? vin : ''}
          except={vehicle?.vehicle_id}
          createdBefore={sentAt}
        />
        {!vehicle && mayAddPhotos && <PhotoPicker {...photos} />}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-x-3 gap-y-2 sm:contents">
          {input('make')}
          {input('model')}
          {input('mileage')}
          <SelectField
            {...field('mileage_unit')}
            choices={[{ value: '', label: t`Usual unit` }, ...choicesOf(units)]}
            help={t`Usual unit: ${usualUnit}.`}
          />
          {input('asking_price')}
          <SelectField {...field('status')} choices={choicesOf(vehicleStatusNames, statuses)} />
          {input('purchase_price', { help: scheme === 'Standard' && t`The price without deductible VAT.` })}
          {input('minimum_price')}
        </div>
        {mayReadCosts && <MarginText form={form} rules={rules} />}
        <MoreDetails
          isFixed={!!vehicle}
          hasError={DETAILS.some(name => errors[name])}
          isRestored={discardDraft !== undefined && DETAILS.some(name => dirtyFields[name])}
        >
          <VinField field={field('vin')} form={form} rules={rules} />
          <TextField
            {...field('registration_country')}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            maxLength={2}
            placeholder={country}
            help={t`Two letters. Leave empty for ${country}.`}
          />
          {input('variant')}
          {input('model_year')}
          {input('first_registered')}
          {input('mileage_remark', {
            lines: undefined,
            help:
              vehicle &&
              t`Needed if the mileage is lower than before, for example after the instrument was replaced.`,
          })}
          {input('fuel', { none })}
          {input('transmission', { none })}
          {input('body')}
          {input('colour')}
          {input('in_stock_on')}
          {input('location', { help: t`Where the vehicle stands.` })}
          {input('ownership')}
          {input('vat_scheme')}
          {input('notes')}
          {mayReadCosts && <CostsField form={form} rules={rules} isStart={startsAt === 'costs'} />}
        </MoreDetails>
      </div>
    </RecordForm>
  )
}

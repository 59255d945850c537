import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Agreement, Vehicle } from '~/core'
import { textOf } from '~/language'
import { paths } from '~/lib/paths'
import { useRequest } from '~/lib/request'
import { useCanRead } from '~/lib/session'
import { directionNames } from '~/lib/words'
import type { Beginning } from '~/records/newRecords'
import { RecordForm } from '~/records/RecordForm'
import { type Loaded, withRules } from '~/records/RulesForm'
import type { FormDialog } from '~/records/useDialogs'
import { formTitles, useKindForm } from '~/records/useKindForm'
import { useMayReadCosts } from '~/records/vehicles/costs'
import { Notice } from '~/ui/Notice'
import { BalanceText } from './BalanceText'
import { kind } from './kind'
import { LegsField } from './LegsField'
import { PartyFields } from './PartyFields'
import { loadVehicles } from './useLegFacts'
import { type AgreementValues, checkForm, inputOf, type LegValues, newLeg, toInput } from './values'
import { typeTitles } from './words'

const linked = (id: string) => (id ? t`Linked` : t`Not linked`)

const legText = ({ direction, price }: LegValues, name: string | undefined) =>
  [name && `${name}:`, (directionNames as Record<string, string>)[direction], price].filter(Boolean).join(' ')

// Those of the other fields follow from the list's fields.
const labels = {
  customer: t`Customer`,
  customer_id: { label: t`Linked customer`, show: linked },
}

type Props = FormDialog<Agreement, Agreement> & {
  /** How a new agreement begins, if with a vehicle. */
  begun?: Beginning<Vehicle> | undefined
}

/** The fields with the texts by which the records of other fields are found. They change only together with these. */
const typedTexts: Record<string, string[]> = {
  customer_id: ['customer'],
  legs: ['vehicle', 'part_exchange'],
}

/** Creates or edits an agreement. */
export const AgreementForm = withRules(LoadedForm, record => formTitles(kind, record), true)

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

function LoadedForm({ record: agreement, begun, onSaved, rules, dialog }: Loaded<Props>) {
  const first = begun?.record
  const mayReadCosts = useMayReadCosts()
  const [present, setPresent] = useState(agreement)
  const [chosen, setChosen] = useState<Vehicle[]>(first ? [first] : [])
  // The names of contacts by their ids, as far as the form knew them at a conflict.
  const [contactNames, setContactNames] = useState<Record<string, string>>({})
  /** Returns the name of a vehicle that was chosen here, or that the agreement has or had. */
  const nameOf = (id: string) =>
    [...chosen, ...(present?.legs ?? []), ...(agreement?.legs ?? [])].find(
      ({ vehicle_id }) => vehicle_id === id,
    )?.name
  /** Returns the fields that the state of an agreement fixes. */
  const fixedFields = ({ state }: Agreement) =>
    rules
      .fixedFields(state)
      .flatMap(({ field }) => [field, ...(typedTexts[field] ?? [])]) as (keyof AgreementValues)[]
  const showContact = (id: string) => (id && contactNames[id]) || linked(id)
  const showLegs = (legs: LegValues[]) => legs.map(leg => legText(leg, nameOf(leg.vehicle_id))).join('; ')
  const state = useKindForm({
    kind,
    rules,
    draft: begun?.draft,
    record: agreement,
    inputOf,
    defaultValues: { ...inputOf(agreement), ...(first && { legs: [newLeg(first)] }) },
    emptyValues: first && inputOf(),
    labels: {
      ...labels,
      contact_id: { label: t`Contact`, show: showContact },
      legs: { label: t`Vehicles`, show: showLegs },
    },
    onConflict: latest => {
      setPresent(latest)
      const { contact_id: base = '', contact: baseName = '' } = state.form.formState.defaultValues ?? {}
      const { contact_id: own, contact: ownName } = state.form.getValues()
      setContactNames(names => ({ ...names, [base]: baseName, [own]: ownName }))
      // Cleared if the form takes another contact, or none: the agreement has only the contact's id.
      const isTheirs = own === base || fixedFields(latest).includes('contact_id')
      if (isTheirs && own !== inputOf(latest).contact_id) state.form.setValue('contact', '')
    },
    fixedFields,
    check: (_, values) => checkForm(rules, values, mayReadCosts, present),
    bodyOf: values => toInput(rules, values, mayReadCosts, agreement && present),
    onSaved,
  })
  const { form } = state
  const reasons = present ? rules.fixedFields(present.state) : []
  const fixed: ReadonlySet<string> = new Set(reasons.map(({ field }) => field))
  const sentences = new Set(reasons.map(({ message }) => textOf(message)))
  const input: typeof state.input = (name, options) =>
    state.input(name, { disabled: fixed.has(name), ...options })
  const [type, warranty, legs] = useWatch({ control: form.control, name: ['type', 'warranty', 'legs'] })
  const vehicles = useVehicles(
    legs.map(({ vehicle_id }) => vehicle_id),
    chosen,
  )
  const exclusiveUntil = input('exclusive_until', {
    help: t`Until then, nobody else may sell the vehicles.`,
  })
  const ofWarranty = { className: warranty === 'None' ? 'hidden!' : undefined }
  return (
    <RecordForm
      state={state}
      {...dialog}
      description={agreement && `${agreement.number} · ${typeTitles[agreement.type]}`}
    >
      {sentences.size > 0 && (
        <Notice kind="info" className="mb-5">
          {[...sentences].join(' ')}
        </Notice>
      )}
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {!agreement && input('type', { className: 'sm:col-span-2' })}
        <PartyFields form={form} fixed={fixed} />
        <LegsField
          form={form}
          rules={rules}
          agreement={present}
          type={type}
          vehicles={vehicles}
          disabled={fixed.has('legs')}
          onVehicle={vehicle => setChosen(known => [...known, vehicle])}
        />
        <BalanceText form={form} rules={rules} agreement={present} vehicles={vehicles} />
        {input('deposit')}
        {mayReadCosts ? input('minimum_price', { help: t`Not shown to the customer.` }) : exclusiveUntil}
        {type === 'Agency' && (
          <>
            {input('commission')}
            {input('commission_percent', { help: t`The commission is an amount or a percentage.` })}
          </>
        )}
        {input('agreed_on', { help: t`Leave empty to use the day of signing.` })}
        {input('delivered_on', { help: t`Leave empty to use the day of delivery.` })}
        {mayReadCosts && exclusiveUntil}
        {input('warranty', { className: mayReadCosts ? undefined : 'sm:col-span-2' })}
        {input('warranty_months', ofWarranty)}
        {input('warranty_distance', ofWarranty)}
        {input('notes')}
      </div>
    </RecordForm>
  )
}

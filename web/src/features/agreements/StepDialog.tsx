import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Agreement, type AgreementState, core } from '~/core'
import type { ListsCore, NextStep } from '~/core/lists'
import { isConflict, messagesOf } from '~/core/problem'
import { createResolver, showErrors } from '~/lib/form'
import { ownMoney } from '~/lib/format'
import { today } from '~/lib/today'
import { vatSchemeNames, vehicleStatusNames } from '~/lib/words'
import { ActionDialog } from '~/ui/ActionDialog'
import { DateField } from '~/ui/DateField'
import { FormModal } from '~/ui/FormModal'
import type { LegFacts } from './useLegFacts'
import type { Steps } from './useSteps'
import { stepNames } from './words'

type Props = {
  agreement: Agreement
  loaded: LegFacts
  rules: ListsCore
  step: NextStep
  steps: Steps
  /** The version of the agreement for which the dialog was opened. The page may show a later one meanwhile. */
  version: number
  onClose: () => void
}

/** Asks the user to confirm a step. */
export function StepDialog(props: Props) {
  return props.step.state === 'Cancelled' ? <CancelDialog {...props} /> : <DayDialog {...props} />
}

/** Returns how a step changes the vehicles that have loaded, in sentences. Unchanged ones have none. */
const changesOf = ({ step, loaded }: Pick<Props, 'step' | 'loaded'>): string[] =>
  step.changes.flatMap(({ vehicle_id, status, purchase_price, vat_scheme }) => {
    const vehicle = loaded.vehicles.find(each => each.vehicle_id === vehicle_id)
    if (!vehicle) return []
    const { name } = vehicle
    const text = vehicleStatusNames[status]
    const price = purchase_price !== undefined && ownMoney(purchase_price)
    const scheme = vat_scheme && vatSchemeNames[vat_scheme]
    const others = [price && t`Its purchase price becomes ${price}.`, scheme && t`VAT scheme: ${scheme}.`]
    const hasSameStatus = vehicle.status === status
    if (hasSameStatus && !others.some(Boolean)) return []
    const sentence = hasSameStatus ? t`${name} stays ${text}.` : t`${name} becomes ${text}.`
    return [[sentence, ...others].filter(Boolean).join(' ')]
  })

/** How a step changes the vehicles. */
function Changes({ changes }: { changes: string[] }) {
  if (changes.length === 0) return null
  return (
    <ul className="mb-4 grid gap-1">
      {changes.map(change => (
        <li key={change} className="[overflow-wrap:anywhere]">
          {change}
        </li>
      ))}
    </ul>
  )
}

/** Asks for the day of signing or of delivery, and takes the step. */
function DayDialog({ agreement, loaded, rules, step, steps, version, onClose }: Props) {
  const isSigning = step.state === 'Signed'
  const name = isSigning ? 'agreed_on' : 'delivered_on'
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver<{ agreed_on: string; delivered_on: string }>((_, values) =>
      values[name]
        ? rules
            .checkStep({ state: step.state, [name]: values[name] }, agreement, loaded.facts, today())
            // Errors of other fields are shown in the state bar.
            .filter(({ field }) => field === name)
        : // Core would take today, which someone who has just emptied the field may not want.
          [{ field: name, message: core.texts().general.dateInvalid }],
    ),
    defaultValues: { agreed_on: step.day ?? today(), delivered_on: step.day ?? today() },
  })
  const [error, setError] = useState<string>()
  const clearError = () => setError(undefined)
  const submit = form.handleSubmit(async values => {
    clearError()
    try {
      await steps.send({ state: step.state, [name]: values[name], version })
      onClose()
    } catch (thrown) {
      const isRefused = messagesOf(thrown).some(({ field }) => field && field !== name)
      if (isRefused || isConflict(thrown)) {
        steps.refuse(thrown)
        onClose()
      } else setError(showErrors(form, thrown, t`The agreement couldn't be changed.`))
    }
  }, clearError)
  return (
    <FormModal
      title={stepNames[step.state] ?? ''}
      description={
        isSigning
          ? t`After signing, the parties, vehicles and terms can't be changed.`
          : t`A delivery can't be undone.`
      }
      submit={stepNames[step.state] ?? ''}
      busy={form.formState.isSubmitting}
      dirty={false}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Changes changes={changesOf({ step, loaded })} />
      <DateField
        control={form.control}
        name={name}
        label={isSigning ? t`Agreed on` : t`Delivered on`}
        required
      />
    </FormModal>
  )
}

/** Asks before an agreement is cancelled, and says what that frees. */
function CancelDialog({ agreement, loaded, step, steps, version, onClose }: Omit<Props, 'rules'>) {
  const { number } = agreement
  const changes = changesOf({ step, loaded })
  const cancel = async () => {
    try {
      await steps.send({ state: step.state, version })
    } catch (thrown) {
      steps.refuse(thrown)
    }
    onClose()
  }
  return (
    <ActionDialog
      title={t`Cancel ${number}?`}
      confirmLabel={t`Cancel agreement`}
      cancelLabel={t`Keep agreement`}
      attempt={() => void cancel()}
      busy={steps.isBusy}
      details={
        changes.length > 0 && (
          <div className="mt-4">
            <Changes changes={changes} />
          </div>
        )
      }
      onClose={onClose}
    >
      {changes.length > 0
        ? t`A cancelled agreement stays cancelled. This frees its vehicles.`
        : step.changes.length > 0
          ? t`A cancelled agreement stays cancelled.`
          : t`A cancelled agreement stays cancelled. No vehicle is reserved for it.`}
    </ActionDialog>
  )
}

/** Returns whether a step needs a dialog. The others are taken at once. */
export const needsDialog = (state: AgreementState) =>
  state === 'Signed' || state === 'Delivered' || state === 'Cancelled'

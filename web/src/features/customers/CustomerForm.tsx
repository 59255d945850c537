import { t } from '@lingui/core/macro'
import { RotateCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  type AgreementType,
  type CustomerInput,
  type CustomerStatus,
  type CustomerSummary,
  type CustomerType,
  core,
} from '~/core'
import { textOf } from '~/language'
import { agreementNames, customerStatusNames, customerTypeNames } from '~/lib/words'
import { EmailField, PhoneField } from '~/records/fields'
import { inputsOf } from '~/records/inputs'
import { DuplicateNotice } from '~/records/merge/DuplicateNotice'
import { RecordForm } from '~/records/RecordForm'
import type { FormDialog } from '~/records/useDialogs'
import { formTitles, useKindForm } from '~/records/useKindForm'
import { choicesOf } from '~/ui/choices'
import { completeDateOf, DateField } from '~/ui/DateField'
import { IconButton } from '~/ui/IconButton'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { typeChoices } from './customerType'
import { kind } from './kind'
import { useStoredSocialSecurityNumber } from './useStoredSocialSecurityNumber'

// The fields of the form, with what an edit conflict shows. Without the social security number, which conflict
// responses don't contain.
const labels = {
  name: t`Name`,
  email: t`Email`,
  telephone: t`Telephone`,
  address: t`Address`,
  type: { label: t`Customer Type`, show: (type: string) => customerTypeNames[type as CustomerType] },
  organizationNumber: t`Organization Number`,
  postalCode: t`Postal Code`,
  location: t`Location`,
  status: { label: t`Status`, show: (status: string) => customerStatusNames[status as CustomerStatus] },
  agreementType: {
    label: t`Agreement`,
    show: (type: string) => agreementNames[type as AgreementType] ?? '',
  },
  latestPurchase: { label: t`Latest purchase`, show: completeDateOf },
}

// The form has no fields for the role and the prices and doesn't send them, so the server keeps their values.
const inputOf = (customer?: CustomerSummary) => ({
  ...inputsOf(Object.keys(labels) as (keyof typeof labels)[], customer, { status: 'Active' }),
  // `useStoredSocialSecurityNumber` loads it later, because lists don't contain it.
  socialSecurityNumber: '',
})

type Input = ReturnType<typeof inputOf>

/** The fields that follow from the delivered agreements, if the customer has any. */
const fixedFields = ({ hasFigures }: CustomerSummary) =>
  hasFigures ? (['agreementType', 'latestPurchase'] as const) : []

const noAgreement = t({ message: 'None', context: 'agreement' })

/** The form that creates or edits a customer. */
export function CustomerForm({ record: customer, onClose, onSaved }: FormDialog<CustomerSummary>) {
  /**
   * Returns the update to send. Leaves out the social security number of a company, and an unchanged number, so that
   * the server keeps the stored one.
   */
  const updateOf = ({ socialSecurityNumber, ...values }: Input): CustomerInput =>
    socialSecurityNumber === stored || core.isCompany(values.type)
      ? values
      : { ...values, socialSecurityNumber }
  // The customer as it was opened or, after a conflict, as another user has saved it.
  const [present, setPresent] = useState(customer)
  const state = useKindForm({
    kind,
    record: customer,
    inputOf,
    labels,
    onConflict: setPresent,
    fixedFields,
    check: (rules, values) =>
      customer ? rules.checkCustomerUpdate(updateOf(values)) : rules.checkCustomer(values),
    bodyOf(values) {
      const { postalCode, location, ...rest } = customer ? updateOf(values) : values
      // A postal code or location is sent only if it isn't empty.
      return { ...rest, ...(postalCode && { postalCode }), ...(location && { location }) }
    },
    onSaved,
    onInvalid: () => toast.error(textOf(core.texts().general.formInvalid)),
  })
  const { form, field, conflict, sentAt } = state
  const { stored, isLoading, isFailed, retry } = useStoredSocialSecurityNumber(
    customer,
    conflict.version,
    form,
  )
  const derived = present?.hasFigures ? { disabled: true, help: t`Set by the delivered agreements.` } : {}
  const isCompany = core.isCompany(form.watch('type'))
  const organizationNumber = form.watch('organizationNumber')
  const hint = core.organizationNumberHint(organizationNumber)
  const [name, email, telephone, address, postalCode] = form.watch([
    'name',
    'email',
    'telephone',
    'address',
    'postalCode',
  ])
  const { isSubmitted } = form.formState
  const wasCompany = useRef(isCompany)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the type changes between company and person.
  useEffect(() => {
    // Nothing to do until the type changes between company and person.
    if (wasCompany.current === isCompany) return
    wasCompany.current = isCompany
    const shown = isCompany ? 'organizationNumber' : 'socialSecurityNumber'
    const hidden = isCompany ? 'socialSecurityNumber' : 'organizationNumber'
    form.setValue(hidden, '', { shouldDirty: true })
    // Changing the type back restores the stored number, unless another one was typed.
    const number = form.getValues(shown) || form.formState.defaultValues?.[shown]
    form.setValue(shown, number ?? '', { shouldDirty: true })
    form.clearErrors(hidden)
    if (isSubmitted) void form.trigger(shown)
  }, [isCompany])
  return (
    <RecordForm
      state={state}
      {...formTitles(kind, customer)}
      title={customer ? t`Edit Customer` : t`Add New Customer`}
      description={customer && kind.nameOf(customer)}
      onClose={onClose}
    >
      <DuplicateNotice
        kind={kind}
        values={{
          organizationNumber: isCompany ? organizationNumber : '',
          name,
          email,
          telephone,
          address,
          postalCode,
        }}
        except={customer?.customer_id}
        createdBefore={sentAt}
      />
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField {...field('name')} required autoComplete="off" className="sm:col-span-2" />
        <EmailField {...field('email')} required />
        <PhoneField {...field('telephone')} required />
        <TextField {...field('address')} required autoComplete="off" className="sm:col-span-2" />
        <SelectField {...field('type')} required choices={typeChoices()} placeholder={t`Choose a type`} />
        {isCompany ? (
          <TextField
            key="organizationNumber"
            {...field('organizationNumber')}
            required
            autoComplete="off"
            spellCheck={false}
            help={hint && textOf(hint)}
          />
        ) : (
          <TextField
            key="socialSecurityNumber"
            control={form.control}
            name="socialSecurityNumber"
            label={t`Social Security Number`}
            required={isLoading || stored !== ''}
            autoComplete="off"
            spellCheck={false}
            readOnly={isLoading}
            placeholder={isLoading ? t`Loading…` : undefined}
            help={isFailed ? t`Not loaded. Leave empty to keep the current number.` : undefined}
            end={
              isFailed && (
                <IconButton
                  label={t`Try Again`}
                  icon={<RotateCw aria-hidden className="size-4" />}
                  onClick={retry}
                />
              )
            }
          />
        )}
        <TextField {...field('postalCode')} autoComplete="off" />
        <TextField {...field('location')} autoComplete="off" />
        <SelectField {...field('status')} choices={choicesOf(customerStatusNames, core.customerStatuses())} />
        <SelectField
          {...field('agreementType')}
          {...derived}
          choices={[{ value: '', label: noAgreement }, ...choicesOf(agreementNames, core.agreementTypes())]}
        />
        <DateField {...field('latestPurchase')} {...derived} />
      </div>
    </RecordForm>
  )
}

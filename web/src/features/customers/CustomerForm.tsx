import { t } from '@lingui/core/macro'
import { RotateCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type CustomerInput, type CustomerSummary, type CustomerType, core } from '~/core'
import { said } from '~/language'
import { useConflict } from '~/records/useConflict'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { Conflict } from '~/records/Conflict'
import { DateField, dayIn } from '~/ui/DateField'
import { FormModal } from '~/ui/FormModal'
import { IconButton } from '~/ui/IconButton'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { typeChoices, typeName } from './customerType'
import { useStoredNumber } from './useStoredNumber'

// The role and the figures aren't asked for here; the server keeps those there are.
type Input = Required<
  Pick<
    CustomerInput,
    | 'name'
    | 'email'
    | 'telephone'
    | 'address'
    | 'type'
    | 'socialSecurityNumber'
    | 'organizationNumber'
    | 'postalCode'
    | 'location'
    | 'status'
    | 'agreementType'
    | 'latestPurchase'
  >
>

const EMPTY: Input = {
  name: '',
  email: '',
  telephone: '',
  address: '',
  type: '',
  socialSecurityNumber: '',
  organizationNumber: '',
  postalCode: '',
  location: '',
  status: 'Active',
  agreementType: '',
  latestPurchase: '',
}

const inputOf = (customer: CustomerSummary): Omit<Input, 'socialSecurityNumber'> => ({
  name: customer.name,
  email: customer.email,
  telephone: customer.telephone,
  address: customer.address,
  type: customer.type,
  organizationNumber: customer.organizationNumber,
  postalCode: customer.postalCode,
  location: customer.location,
  status: customer.status,
  agreementType: customer.agreementType ?? '',
  latestPurchase: customer.latestPurchase ?? '',
})

/** What a field is called, here and where somebody else has changed it. */
const labels = {
  name: t`Name`,
  email: t`Email`,
  telephone: t`Telephone`,
  address: t`Address`,
  type: t`Customer Type`,
  socialSecurityNumber: t`Social Security Number`,
  organizationNumber: t`Organization Number`,
  postalCode: t`Postal Code`,
  location: t`Location`,
  status: t`Status`,
  agreementType: t`Agreement`,
  latestPurchase: t`Latest Purchase`,
} as const

// What somebody else has changed comes without the social security number.
const { socialSecurityNumber: _, ...shared } = labels
const told = {
  ...shared,
  status: { label: labels.status, show: said },
  agreementType: { label: labels.agreementType, show: said },
  latestPurchase: { label: labels.latestPurchase, show: dayIn },
  type: { label: labels.type, show: (type: string) => typeName(type as CustomerType) },
}

type Props = {
  /** The customer to edit; a new one without it. */
  customer?: CustomerSummary
  /** Closed without saving; the list is stale where somebody else has changed the customer. */
  onClose: (isStale: boolean) => void
  onSaved: () => void
}

const noAgreement = t({ message: 'None', context: 'agreement' })

const plain = (words: readonly string[]) => words.map(word => ({ value: word, label: said(word) }))

/** Adds or edits a customer. */
export function CustomerForm({ customer, onClose, onSaved }: Props) {
  const texts = core.texts()
  const [error, setError] = useState<string>()
  const { form, version } = useDraftForm<Input>({
    draft: `customer ${customer?.customer_id ?? ''}`,
    version: customer?.version,
    mode: 'onTouched',
    resolver: createResolver((rules, values) =>
      customer ? rules.checkCustomerUpdate(changed(values)) : rules.checkCustomer(values),
    ),
    defaultValues: { ...EMPTY, ...(customer && inputOf(customer)) },
  })
  const { control, formState, getValues, setValue, clearErrors, trigger } = form
  /** A number that nobody touched is left out, so that the stored one stays. */
  const changed = ({ socialSecurityNumber: number, ...values }: Input): CustomerInput =>
    number === stored || core.isCompany(values.type) ? values : { ...values, socialSecurityNumber: number }
  const conflict = useConflict({ form, version, inputOf, fields: told })
  const { stored, isLoading, isFailed, retry } = useStoredNumber(customer, conflict.version, form)
  const isCompany = core.isCompany(form.watch('type'))
  const { isSubmitted } = formState
  const wasCompany = useRef(isCompany)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other kind of type is the occasion.
  useEffect(() => {
    // A form that opens keeps what it holds; a draft brings its number along.
    if (wasCompany.current === isCompany) return
    wasCompany.current = isCompany
    const [asked, other] = numbers(isCompany)
    setValue(other, '', { shouldDirty: true })
    // The number of the stored type is there again with it; a draft has brought its own.
    const number = getValues(asked) || form.formState.defaultValues?.[asked]
    setValue(asked, number ?? '', { shouldDirty: true })
    clearErrors(other)
    if (isSubmitted) void trigger(asked)
  }, [isCompany])
  const [asked] = numbers(isCompany)
  const hint = isCompany ? core.organizationNumberHint(form.watch('organizationNumber')) : undefined
  const save = form.handleSubmit(
    async values => {
      const { postalCode, location, ...rest } = customer ? changed(values) : values
      // These two are sent only when they are filled.
      const input = { ...rest, ...(postalCode && { postalCode }), ...(location && { location }) }
      setError(undefined)
      try {
        if (customer) {
          await core.updateCustomer(customer.customer_id, { ...input, version: conflict.version })
        } else await core.createCustomer(input)
        toast.success(customer ? texts.customers.updated : texts.customers.created)
        onSaved()
      } catch (thrown) {
        if (conflict.handle(thrown)) return
        const otherwise = customer ? texts.customers.updateFailed : texts.customers.createFailed
        setError(showErrors(form, thrown, otherwise))
      }
    },
    () => toast.error(texts.general.formInvalid),
  )
  const number = {
    readOnly: isLoading,
    placeholder: isLoading ? t`Loading…` : undefined,
    help: isFailed ? t`Not loaded. Leave empty to keep the current number.` : undefined,
    end: isFailed && (
      <IconButton label={t`Try Again`} icon={<RotateCw aria-hidden className="size-4" />} onClick={retry} />
    ),
  }
  const field = <N extends keyof Input>(name: N) => ({ control, name, label: labels[name] })
  return (
    <FormModal
      open
      title={customer ? t`Edit Customer` : t`Add New Customer`}
      description={customer?.name}
      submit={customer ? t`Save changes` : t`Create customer`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => onClose(conflict.round > 0)}
    >
      <Conflict conflict={conflict} />
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField {...field('name')} required autoComplete="off" className="sm:col-span-2" />
        <TextField
          {...field('email')}
          required
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField {...field('telephone')} required type="tel" inputMode="tel" autoComplete="off" />
        <TextField {...field('address')} required autoComplete="off" className="sm:col-span-2" />
        <SelectField {...field('type')} required choices={typeChoices()} placeholder={t`Choose a type`} />
        <TextField
          key={asked}
          {...field(asked)}
          required={isCompany || isLoading || stored !== ''}
          autoComplete="off"
          spellCheck={false}
          {...(isCompany ? { help: hint } : number)}
        />
        <TextField {...field('postalCode')} autoComplete="off" />
        <TextField {...field('location')} autoComplete="off" />
        <SelectField {...field('status')} choices={plain(core.customerStatuses())} />
        <SelectField
          {...field('agreementType')}
          choices={[{ value: '', label: noAgreement }, ...plain(core.agreementTypes())]}
          placeholder={noAgreement}
        />
        <DateField {...field('latestPurchase')} />
      </div>
    </FormModal>
  )
}

/** The number that a type asks for, and the one that it doesn't have. */
const numbers = (isCompany: boolean) =>
  isCompany
    ? (['organizationNumber', 'socialSecurityNumber'] as const)
    : (['socialSecurityNumber', 'organizationNumber'] as const)

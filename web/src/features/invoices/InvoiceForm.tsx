import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { core, type Invoice } from '~/core'
import { useConflict } from '~/records/useConflict'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { Conflict } from '~/records/Conflict'
import { DateField, dayIn } from '~/ui/DateField'
import { FormModal } from '~/ui/FormModal'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { calendarDay, failure } from './format'

type Props = {
  /** The invoice to edit; a new one without it. */
  invoice?: Invoice
  /** Closed without saving; the list is stale where somebody else has changed the invoice. */
  onClose: (isStale: boolean) => void
  onSaved: () => void
}

/** The price stays the text that is typed: core reads it, to the penny. */
const inputOf = (invoice?: Invoice) => ({
  customer: invoice?.customer ?? '',
  website: invoice?.website ?? '',
  email: invoice?.email ?? '',
  customerRequirements: invoice?.customerRequirements ?? '',
  startDate: invoice?.startDate ?? '',
  endDate: invoice?.endDate ?? '',
  projectPrice: invoice ? String(invoice.projectPrice) : '',
})

const showDay = (date: string) => dayIn(date) && calendarDay(date)

/** Creates or edits an invoice. */
export function InvoiceForm({ invoice, onClose, onSaved }: Props) {
  const texts = core.texts().invoices
  const [error, setError] = useState<string>()
  const { form, version } = useDraftForm({
    draft: `invoice ${invoice?._id ?? ''}`,
    version: invoice?.version,
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkInvoice(values, invoice?.website)),
    defaultValues: inputOf(invoice),
  })
  const { control, formState } = form
  const conflict = useConflict({
    form,
    version,
    inputOf,
    fields: {
      customer: t`Customer`,
      website: t`Website`,
      email: t`Email`,
      customerRequirements: t`Requirements`,
      startDate: { label: t`Start Date`, show: showDay },
      endDate: { label: t`End Date`, show: showDay },
      projectPrice: t`Project Price`,
    },
  })
  const save = form.handleSubmit(
    async values => {
      setError(undefined)
      try {
        if (invoice) {
          const { customerRequirements, ...rest } = values
          // A list may have left them out; then the stored ones stay unless others are typed.
          const isKnown = invoice.customerRequirements !== undefined || customerRequirements !== ''
          const requirements = isKnown ? { customerRequirements } : {}
          await core.updateInvoice(invoice._id, { ...rest, ...requirements, version: conflict.version })
        } else await core.createInvoice(values)
        toast.success(invoice ? texts.updated : texts.created)
        onSaved()
      } catch (thrown) {
        if (conflict.handle(thrown)) return
        const failed = invoice ? texts.updateFailed : texts.createFailed
        const why = showErrors(form, thrown, failed)
        setError(why && failure(failed, why))
      }
    },
    broken => {
      // The newest toast is the uppermost, so that they read in the order of the fields.
      for (const { message } of Object.values(broken).reverse()) {
        if (message) toast.error(message, texts.validationError)
      }
    },
  )
  return (
    <FormModal
      open
      title={invoice ? t`Edit Invoice` : t`Create New Invoice`}
      submit={invoice ? t`Save changes` : t`Create invoice`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => onClose(conflict.round > 0)}
    >
      <Conflict conflict={conflict} />
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <TextField
          control={control}
          name="customer"
          label={t`Customer`}
          required
          autoComplete="off"
          className="sm:col-span-2"
        />
        <TextField
          control={control}
          name="website"
          label={t`Website`}
          required
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          control={control}
          name="email"
          label={t`Email`}
          required
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          control={control}
          name="customerRequirements"
          label={t`Requirements`}
          help={t`Describe what the customer ordered.`}
          lines={4}
          className="sm:col-span-2"
        />
        <DateField control={control} name="startDate" label={t`Start Date`} required />
        <DateField
          control={control}
          name="endDate"
          label={t`End Date`}
          required
          help={t`Can be the same day as the start date.`}
        />
        <TextField
          control={control}
          name="projectPrice"
          label={t`Project Price`}
          required
          type="number"
          inputMode="decimal"
          min={0}
          step="any"
          help={t`In ${core.invoiceCurrency()}, for example 1250 or 19.99.`}
          autoComplete="off"
          // Else scrolling past it changes it.
          onWheel={event => event.currentTarget.blur()}
        />
      </div>
    </FormModal>
  )
}

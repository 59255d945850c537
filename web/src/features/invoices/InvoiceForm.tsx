import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { type CustomerSummary, core, type Invoice, type InvoiceInput } from '~/core'
import { calendarDay } from '~/lib/format'
import { paths } from '~/lib/paths'
import { useCanRead } from '~/lib/session'
import { EmailField, WebsiteField } from '~/records/fields'
import type { Beginning } from '~/records/newRecords'
import { RecordForm } from '~/records/RecordForm'
import type { FormDialog } from '~/records/useDialogs'
import { formTitles, useKindForm } from '~/records/useKindForm'
import { completeDateOf, DateField } from '~/ui/DateField'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { CustomerField } from './CustomerField'
import { kind } from './kind'
import { type InvoiceValues, inputFor, inputOf } from './values'

const showDay = (date: string) => completeDateOf(date) && calendarDay(date)

const labels = {
  customer: t`Customer`,
  customer_id: { label: t`Link to a customer`, show: (id: string) => (id ? t`Linked` : t`Not linked`) },
  website: t`Website`,
  email: t`Email`,
  customerRequirements: t`Requirements`,
  startDate: { label: t`Start Date`, show: showDay },
  endDate: { label: t`End Date`, show: showDay },
  projectPrice: t`Project Price`,
}

type Props = FormDialog<Invoice> & {
  /** How a new invoice begins, if with a customer. */
  begun?: Beginning<CustomerSummary> | undefined
}

/** The form that creates or edits an invoice. */
export function InvoiceForm({ record: invoice, begun, onClose, onSaved }: Props) {
  const customer = begun?.record
  const mayReadCustomers = useCanRead('customers', paths.customers)
  const state = useKindForm({
    kind,
    // These requests send the price as a number; `createRecord` sends text.
    requests: { create: core.createInvoice, update: core.updateInvoice },
    draft: begun?.draft,
    record: invoice,
    inputOf,
    defaultValues: { ...inputOf(invoice), ...(customer && inputFor(customer)) },
    emptyValues: customer && inputOf(),
    labels,
    check: (rules, values) => rules.checkInvoice(values, invoice?.website),
    bodyOf({ customerRequirements, customer_id, filledEmail, filledWebsite, ...typed }): InvoiceInput {
      const before: Partial<InvoiceValues> | undefined = state.form.formState.defaultValues
      // Users who may not read customers can't choose one. If they change the name, the link to the customer is
      // removed.
      const link = mayReadCustomers || typed.customer === before?.customer ? customer_id : ''
      // An unchanged link isn't sent, because the server would reject it if the customer has been deleted.
      const hasNewLink = !invoice || link !== before?.customer_id
      // If the invoice comes from a list without the requirements, they are sent only if the user has typed some.
      const isKnown = !invoice || invoice.customerRequirements !== undefined || customerRequirements !== ''
      return {
        ...typed,
        ...(hasNewLink && { customer_id: link }),
        ...(isKnown && { customerRequirements }),
      }
    },
    onSaved,
    onInvalid(errors) {
      // Reversed, because the newest toast is on top: so the errors appear in the order of the fields.
      for (const { message } of Object.values(errors).reverse()) {
        if (message) toast.error(message, t`Validation Error`, { isQuiet: true })
      }
    },
  })
  const { field, form } = state
  const startDate = form.watch('startDate')
  // An end date that the user has entered can also become invalid by the start date.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the start date changes.
  useEffect(() => {
    if (form.getFieldState('endDate').isTouched) void form.trigger('endDate')
  }, [form, startDate])
  return (
    <RecordForm
      state={state}
      {...formTitles(kind, invoice)}
      title={invoice ? t`Edit Invoice` : t`Create New Invoice`}
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {mayReadCustomers ? (
          <CustomerField {...field('customer')} form={form} first={customer} />
        ) : (
          <TextField {...field('customer')} required autoComplete="off" className="sm:col-span-2" />
        )}
        <WebsiteField {...field('website')} required />
        <EmailField {...field('email')} required />
        <TextField
          {...field('customerRequirements')}
          help={t`Describe what the customer ordered.`}
          lines={4}
          className="sm:col-span-2"
        />
        <DateField {...field('startDate')} required />
        <DateField {...field('endDate')} required help={t`Can be the same day as the start date.`} />
        <TextField
          {...field('projectPrice')}
          required
          unit={core.invoiceCurrency()}
          inputMode="decimal"
          help={t`For example 1250 or 19.99.`}
          autoComplete="off"
        />
      </div>
    </RecordForm>
  )
}

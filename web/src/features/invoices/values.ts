import type { Invoice } from '~/core'

/** Returns the form values of an invoice; without one, those of the form of a new invoice. */
export const inputOf = (invoice?: Invoice) => ({
  customer: invoice?.customer ?? '',
  customer_id: invoice?.customer_id ?? '',
  website: invoice?.website ?? '',
  email: invoice?.email ?? '',
  customerRequirements: invoice?.customerRequirements ?? '',
  startDate: invoice?.startDate ?? '',
  endDate: invoice?.endDate ?? '',
  // A text, as the input has it. Core parses it without rounding.
  projectPrice: invoice ? String(invoice.projectPrice) : '',
})

/** The values of the form's fields. */
export type InvoiceValues = ReturnType<typeof inputOf>

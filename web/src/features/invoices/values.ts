import type { Invoice } from '~/core'

/** Returns the form values of an invoice, or of a new one. */
export const inputOf = (invoice?: Invoice) => ({
  customer: invoice?.customer ?? '',
  customer_id: invoice?.customer_id ?? '',
  website: invoice?.website ?? '',
  email: invoice?.email ?? '',
  customerRequirements: invoice?.customerRequirements ?? '',
  startDate: invoice?.startDate ?? '',
  endDate: invoice?.endDate ?? '',
  // A text, as in the input field: core parses it exactly.
  projectPrice: invoice ? String(invoice.projectPrice) : '',
})

/** The values of the form's fields. */
export type InvoiceValues = ReturnType<typeof inputOf>

import type { Invoice } from '~/core'
import { inputsOf } from '~/records/inputs'

const NAMES = [
  'customer',
  'customer_id',
  'website',
  'email',
  'customerRequirements',
  'startDate',
  'endDate',
  'projectPrice',
] as const

/**
 * Returns the form values of an invoice; without one, those of the form of a new invoice. `filledEmail` and
 * `filledWebsite` have what the form itself has filled in for the linked customer. They are values of the form so that
 * its draft has them, too.
 */
export const inputOf = (invoice?: Invoice) => ({
  ...inputsOf(NAMES, invoice),
  filledEmail: '',
  filledWebsite: '',
})

/** The values of the form's fields. */
export type InvoiceValues = ReturnType<typeof inputOf>

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

/** Returns the form values of an invoice; without one, those of the form of a new invoice. */
export const inputOf = (invoice?: Invoice) => inputsOf(NAMES, invoice)

/** The values of the form's fields. */
export type InvoiceValues = ReturnType<typeof inputOf>

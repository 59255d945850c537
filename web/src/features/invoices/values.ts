import type { CustomerSummary, Invoice } from '~/core'
import { unlessErased } from '~/lib/words'
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

/** Returns the form values with which a new invoice for a customer begins. */
export function inputFor({ customer_id, name, email }: CustomerSummary): Partial<InvoiceValues> {
  const filledEmail = unlessErased(email) ?? ''
  return { customer: name, customer_id, email: filledEmail, filledEmail }
}

/** The values of the form's fields. */
export type InvoiceValues = ReturnType<typeof inputOf>

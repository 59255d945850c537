import { useMemo } from 'react'
import { type CustomerSummary, core } from '~/core'
import { useRequest } from '~/lib/request'

/**
 * Asks for the record of a customer, which has the social security number, and anew for another version of it. A company
 * has no such number, so nothing is asked.
 */
export function useRecord(customer: CustomerSummary | undefined, version = customer?.version) {
  const id = customer && !core.isCompany(customer.type) ? customer.customer_id : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has another record.
  const question = useMemo(
    () => (id === undefined ? undefined : (signal: AbortSignal) => core.getCustomer(id, signal)),
    [id, version],
  )
  return { isAsked: id !== undefined, ...useRequest(question) }
}

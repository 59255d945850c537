import { useMemo } from 'react'
import { type CustomerSummary, core } from '~/core'
import { useRequest } from '~/lib/request'

/**
 * Requests a customer's details, which contain the social security number, and requests them again when `version`
 * changes. A company has no such number, so nothing is requested for it (`isRequested` is false).
 */
export function useCustomerDetails(customer: CustomerSummary | undefined, version = customer?.version) {
  const id = customer && !core.isCompany(customer.type) ? customer.customer_id : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is requested again.
  const request = useMemo(
    () => (id === undefined ? undefined : (signal: AbortSignal) => core.getRecord('customers', id, signal)),
    [id, version],
  )
  return { isRequested: id !== undefined, ...useRequest(request) }
}

import { core } from '~/core'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, type PanelFilter, readQuery } from '~/lib/query'

/** The query of the list of customers, as in the URL. */
export type CustomersQuery = ListQuery & { panel: PanelFilter }

/** Parses the query of the customers' URL. Invalid values of the filter panel are ignored. */
export function readCustomersQuery(params: URLSearchParams): CustomersQuery {
  const panel = {
    typeAdv: params.get('type') ?? '',
    fromDate: params.get('from') ?? '',
    toDate: params.get('to') ?? '',
  }
  for (const { field } of core.checkCustomerFilter(panel)) panel[field as keyof PanelFilter] = ''
  return { ...readQuery(params), panel }
}

/** Returns the parameters of the API request for a list of customers. */
export const customersParameters = <Q extends Partial<CustomersQuery>>({
  panel,
  search: searchTerm,
  ...parameters
}: Q) => ({ ...parameters, ...panel, searchTerm })

/** Returns the URL of the list of customers for a query. */
export function customersAddress({ panel, ...query }: CustomersQuery): string {
  const { typeAdv: type, fromDate: from, toDate: to } = panel
  return listAddress(paths.customers, query, { type, from, to })
}

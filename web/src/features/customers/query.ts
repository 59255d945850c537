import { type CustomerFilter, core } from '~/core'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, readQuery } from '~/lib/query'

/** The filter of the list. Empty parts match every customer. */
export type Filter = Required<Omit<CustomerFilter, 'statusAdv'>>

/** Page, search and filter of the customers, as in the URL. */
export type CustomersQuery = ListQuery & { filter: Filter }

export const NO_FILTER: Filter = { typeAdv: '', fromDate: '', toDate: '' }

/** Parses the query of a list's URL. Invalid parts of the filter are ignored. */
export function readCustomersQuery(params: URLSearchParams): CustomersQuery {
  const filter = {
    typeAdv: params.get('type') ?? '',
    fromDate: params.get('from') ?? '',
    toDate: params.get('to') ?? '',
  }
  for (const { field } of core.checkCustomerFilter(filter)) filter[field as keyof Filter] = ''
  return { ...readQuery(params), filter }
}

/** Returns the URL of a list of customers. */
export function customersAddress({ filter, ...query }: CustomersQuery): string {
  const { typeAdv: type, fromDate: from, toDate: to } = filter
  return listAddress(paths.customers, query, { type, from, to })
}

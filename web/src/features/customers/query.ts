import { type CustomerFilter, core } from '~/core'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, readQuery } from '~/lib/query'

/** What the panel narrows the list by; each part may be empty. */
export type Filter = Required<Omit<CustomerFilter, 'statusAdv'>>

/** Which customers are shown; all of it lives in the address. */
export type CustomersQuery = ListQuery & { filter: Filter }

export const NO_FILTER: Filter = { typeAdv: '', fromDate: '', toDate: '' }

/** Reads an address; what core refuses of a filter narrows nothing. */
export function readCustomersQuery(params: URLSearchParams): CustomersQuery {
  const filter = {
    typeAdv: params.get('type') ?? '',
    fromDate: params.get('from') ?? '',
    toDate: params.get('to') ?? '',
  }
  for (const { field } of core.checkCustomerFilter(filter)) filter[field as keyof Filter] = ''
  return { ...readQuery(params), filter }
}

/** The address of a list of customers. */
export function customersAddress({ filter, ...query }: CustomersQuery): string {
  const { typeAdv: type, fromDate: from, toDate: to } = filter
  return listAddress(paths.customers, query, { type, from, to })
}

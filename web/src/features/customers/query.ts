import { type CustomerFilter, core } from '~/core'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, readQuery } from '~/lib/query'

/** The filter of the panel. Empty parts match every customer. */
export type PanelFilter = Required<Omit<CustomerFilter, 'statusAdv'>>

/** Page, search and filter of the customers, as in the URL. */
export type CustomersQuery = ListQuery & { panel: PanelFilter }

export const NO_FILTER: PanelFilter = { typeAdv: '', fromDate: '', toDate: '' }

/** Parses the query of a list's URL. Invalid parts of the panel's filter are ignored. */
export function readCustomersQuery(params: URLSearchParams): CustomersQuery {
  const panel = {
    typeAdv: params.get('type') ?? '',
    fromDate: params.get('from') ?? '',
    toDate: params.get('to') ?? '',
  }
  for (const { field } of core.checkCustomerFilter(panel)) panel[field as keyof PanelFilter] = ''
  return { ...readQuery(params), panel }
}

/** Returns the URL of a list of customers. */
export function customersAddress({ panel, ...query }: CustomersQuery): string {
  const { typeAdv: type, fromDate: from, toDate: to } = panel
  return listAddress(paths.customers, query, { type, from, to })
}

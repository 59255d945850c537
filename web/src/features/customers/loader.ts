import type { LoaderFunctionArgs } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { readCustomersQuery } from './query'

/** A page of customers, as the address asks for it. It is handed over before it has come. */
export async function customersLoader({ request }: LoaderFunctionArgs) {
  const core = await loadCore()
  const query = readCustomersQuery(new URL(request.url).searchParams)
  const { page, search, filter } = query
  const limit = core.customersPageSize()
  return { query, coming: settle(core.listCustomers({ page, limit, searchTerm: search, filter })) }
}

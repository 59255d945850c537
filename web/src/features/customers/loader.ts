import { listLoader } from '~/records/loaders'
import { readCustomersQuery } from './query'

export const customersLoader = listLoader(readCustomersQuery, (core, { page, search, filter }) =>
  core.listCustomers({ page, limit: core.customersPageSize(), searchTerm: search, filter }),
)

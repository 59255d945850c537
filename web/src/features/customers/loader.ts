import { listLoader } from '~/records/loaders'
import { readCustomersQuery } from './query'

export const customersLoader = listLoader(readCustomersQuery, (core, { search, panel, ...query }) =>
  core.listCustomers({ ...query, ...panel, limit: core.customersPageSize(), searchTerm: search }),
)

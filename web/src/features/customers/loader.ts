import { listLoader } from '~/records/loaders'
import { customersParameters, readCustomersQuery } from './query'

export const customersLoader = listLoader(readCustomersQuery, (core, query) =>
  core.listCustomers({ ...customersParameters(query), limit: core.customersPageSize() }),
)

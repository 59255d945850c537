import type { CustomerSummary } from '~/core'
import { paths } from '~/lib/paths'
import { readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'
import { listDuplicates } from '~/records/merge/duplicates'
import type { RecordSource } from '~/records/useNeighbors'
import { type CustomersQuery, customersAddress, customersParameters, readCustomersQuery } from './query'

export const customerSource = {
  read: readCustomersQuery,
  list: (core, query) =>
    core.listRecords('customers', { ...customersParameters(query), limit: core.recordPageSize('customers') }),
  address: customersAddress,
  idOf: customer => customer.customer_id,
  pathOf: paths.customer,
} satisfies RecordSource<CustomerSummary, CustomersQuery>

export const customersLoader = listLoader(customerSource.read, customerSource.list)

export const customerLoader = recordLoader((core, id) => core.getRecord('customers', id))

export const duplicatesLoader = listLoader(readQuery, (core, query) =>
  listDuplicates<CustomerSummary>(core, 'customers', query),
)

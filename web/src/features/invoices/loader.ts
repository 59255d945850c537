import { parametersOf, readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'

export const invoicesLoader = listLoader(readQuery, (core, query) =>
  core.listInvoices({ ...parametersOf(query), limit: core.invoicesPageSize() }),
)

export const invoiceLoader = recordLoader((core, id) => core.getInvoice(id))

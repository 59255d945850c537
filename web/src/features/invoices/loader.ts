import type { Invoice } from '~/core'
import { paths } from '~/lib/paths'
import { listAddress, parametersOf, readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'
import type { RecordSource } from '~/records/useNeighbors'

export const invoiceSource: RecordSource<Invoice> = {
  read: readQuery,
  list: (core, query) =>
    core.listInvoices({ ...parametersOf(query), limit: core.recordPageSize('invoices') }),
  address: query => listAddress(paths.invoices, query),
  idOf: invoice => invoice._id,
  pathOf: paths.invoice,
}

export const invoicesLoader = listLoader(invoiceSource.read, invoiceSource.list)

export const invoiceLoader = recordLoader((core, id) => core.getRecord('invoices', id))

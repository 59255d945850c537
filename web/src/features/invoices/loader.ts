import type { LoaderFunctionArgs } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { readQuery } from '~/lib/query'

/** A page of invoices, as the address asks for it. It is handed over before it has come. */
export async function invoicesLoader({ request }: LoaderFunctionArgs) {
  const core = await loadCore()
  const query = readQuery(new URL(request.url).searchParams)
  return { query, coming: settle(core.listInvoices({ ...query, limit: core.invoicesPageSize() })) }
}

export async function invoiceLoader({ params }: LoaderFunctionArgs) {
  const core = await loadCore()
  return { coming: settle(core.getInvoice(params.id ?? '')) }
}

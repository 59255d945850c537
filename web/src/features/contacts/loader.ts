import type { LoaderFunctionArgs } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { readContactsQuery } from './query'

/** A page of contacts, as the address asks for it. It is handed over before it has come. */
export async function contactsLoader({ request }: LoaderFunctionArgs) {
  const core = await loadCore()
  const query = readContactsQuery(new URL(request.url).searchParams)
  return { query, coming: settle(core.listContacts({ ...query, limit: core.contactsPageSize() })) }
}

export async function contactLoader({ params }: LoaderFunctionArgs) {
  const core = await loadCore()
  return { coming: settle(core.getContact(params.id ?? '')) }
}

import type { LoaderFunctionArgs } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { readQuery } from '~/lib/query'

/** A page of corporations, as the address asks for it. It is handed over before it has come. */
export async function corporationsLoader({ request }: LoaderFunctionArgs) {
  const core = await loadCore()
  const query = readQuery(new URL(request.url).searchParams)
  return { query, coming: settle(core.listCorporations({ ...query, limit: core.corporationsPageSize() })) }
}

/** A corporation and its users. */
export async function corporationUsersLoader({ params }: LoaderFunctionArgs) {
  const core = await loadCore()
  const id = params.id ?? ''
  const both = Promise.all([core.getCorporation(id), core.listCorporationUsers(id)])
  return { coming: settle(both.then(([corporation, users]) => ({ corporation, users }))) }
}

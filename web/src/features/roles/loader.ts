import type { LoaderFunctionArgs } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { readQuery } from '~/lib/query'

/** All roles, and which of them the address asks for. They are handed over before they have come. */
export async function rolesLoader({ request }: LoaderFunctionArgs) {
  const core = await loadCore()
  const { search } = readQuery(new URL(request.url).searchParams)
  return { search, coming: settle(core.listRoles()) }
}

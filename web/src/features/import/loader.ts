import type { LoaderFunctionArgs } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { readQuery } from '~/lib/query'

/** A page of imports, as the address asks for it. It is handed over before it has come. */
export async function importsLoader({ request }: LoaderFunctionArgs) {
  const core = await loadCore()
  const query = { ...readQuery(new URL(request.url).searchParams), search: '' }
  return { query, coming: settle(core.importList(query.page, core.importsPageSize())) }
}

import type { LoaderFunctionArgs } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { readQuery } from '~/lib/query'

/** Loads a page of imports. Returns the pending promise, so that the page renders immediately. */
export async function importsLoader({ request }: LoaderFunctionArgs) {
  const core = await loadCore()
  const query = { ...readQuery(new URL(request.url).searchParams), search: '' }
  return { query, promise: settle(core.importList(query.page, core.importsPageSize())) }
}

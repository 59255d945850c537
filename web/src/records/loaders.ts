import type { LoaderFunctionArgs } from 'react-router'
import { type Core, loadCore } from '~/core'
import { settle } from '~/lib/load'

/** Returns a route loader that requests the list for the URL's query, and returns the promise without awaiting it. */
export const listLoader =
  <Q, L>(readQuery: (params: URLSearchParams) => Q, list: (core: Core, query: Q) => Promise<L>) =>
  async ({ request }: LoaderFunctionArgs) => {
    const core = await loadCore()
    const query = readQuery(new URL(request.url).searchParams)
    return { query, promise: settle(list(core, query)) }
  }

/**
 * Returns a route loader that requests the record whose id is in the URL, and returns the promise without awaiting it.
 */
export const recordLoader =
  <R>(get: (core: Core, id: string) => Promise<R>) =>
  async ({ params }: LoaderFunctionArgs) => ({ promise: settle(get(await loadCore(), params.id ?? '')) })

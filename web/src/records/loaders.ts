import type { LoaderFunctionArgs } from 'react-router'
import { type Core, loadCore } from '~/core'
import { isUnreachable } from '~/core/problem'
import { checkConnection } from '~/lib/connection'
import { type Outcome, settle } from '~/lib/load'

/** What the loader of a list returns. */
export type ListData<Q, L> = {
  /** The list's query as in the URL: page, search, filter and so on. */
  query: Q
  promise: Promise<Outcome<L>>
  /** Requests the list again, without showing it. */
  load: () => Promise<Outcome<L>>
}

/** Returns a route loader that requests the list for the URL's query, and returns the promise without awaiting it. */
export const listLoader =
  <Q, L>(readQuery: (params: URLSearchParams) => Q, list: (core: Core, query: Q) => Promise<L>) =>
  async ({ request }: LoaderFunctionArgs): Promise<ListData<Q, L>> => {
    const core = await loadCore()
    const query = readQuery(new URL(request.url).searchParams)
    const load = () => settle(list(core, query))
    return { query, promise: load().then(withConnection), load }
  }

/** Adds to the outcome of a request without response whether the server is unreachable. */
export async function withConnection<T>(outcome: Outcome<T>): Promise<Outcome<T>> {
  if (outcome.ok || !isUnreachable(outcome.error)) return outcome
  return { ...outcome, isOffline: !(await checkConnection()) }
}

/** The outcome of a request for a record. `requestedAt` is the time of the request, by `performance.now()`. */
export type RequestedRecord<R> = Outcome<R> & { requestedAt: number }

/** What the loader of a record returns. */
export type RecordData<R> = {
  promise: Promise<RequestedRecord<R>>
  /** Requests the record again, without showing it. */
  load: () => Promise<RequestedRecord<R>>
}

/**
 * Returns a route loader that requests the record whose id is in the URL, and returns the promise without awaiting it.
 */
export const recordLoader =
  <R>(get: (core: Core, id: string) => Promise<R>) =>
  async ({ params }: LoaderFunctionArgs): Promise<RecordData<R>> => {
    const core = await loadCore()
    const load = async () => {
      const requestedAt = performance.now()
      return { ...(await settle(get(core, params.id ?? ''))), requestedAt }
    }
    return { promise: load(), load }
  }

import { useRef, useState } from 'react'
import { useLoaderData, useNavigate, useRevalidator } from 'react-router'
import type { Records as Lists } from '~/core'
import { useAfterDeletion } from '~/lib/deletion'
import { useHasDraft } from '~/lib/drafts'
import { useLastLoaded } from '~/lib/lastLoaded'
import { useLoaded } from '~/lib/load'
import {
  addressAfter,
  type ListPage,
  type ListQuery,
  type ListRoute,
  listAddress,
  type QueryChange,
} from '~/lib/query'
import { usePermissions } from '~/lib/session'
import type { RecordKind } from './kind'
import type { ListData } from './loaders'
import { begunDraftOf } from './newRecords'
import { useDialogs } from './useDialogs'

type Settings<L extends ListPage<unknown>, Q extends ListQuery> = ListData<Q, L> & {
  route: string
  address?: ListRoute<Q>['address']
  sortAfter?: ListRoute<Q>['sortAfter']
  /**
   * Loads the data again after a change. `record` is the one whose form was saved or had become outdated; undefined
   * for a new record, and for changes without the form, such as a bulk action. By default runs the page's loaders.
   */
  reload?: (record?: L['data'][number]) => void
}

/**
 * Returns the state of a list (its outcome, query and URLs) and its dialogs. `promise` and `load` come from the list's
 * loader.
 */
export function useRecords<L extends ListPage<unknown>, Q extends ListQuery>({
  route,
  query,
  promise,
  load,
  address = query => listAddress(route, query),
  sortAfter,
  reload,
}: Settings<L, Q>) {
  const section = useRef<HTMLElement>(null)
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const addressOf = (page: number, change?: QueryChange) => address({ ...query, ...change, page })
  const addressWith = (change: QueryChange) => addressAfter({ route, address, sortAfter }, query, change)
  const { shown, afterDeletion } = useAfterDeletion({
    loaded: useLoaded(promise),
    page: query.page,
    pagesOf: ({ totalPages }) => totalPages,
    to: addressOf,
    list: section,
  })
  const loaded = useLastLoaded(shown)
  const refresh = reload ?? (() => void revalidate())
  const [deleted, setDeleted] = useState<L['data'][number]>()
  return {
    ...useDialogs<L['data'][number]>(refresh, record => {
      setDeleted(record)
      afterDeletion()
    }),
    /** The record that was deleted last, by the button of its row. */
    deleted,
    /**
     * `refresh` loads the list again after a change, `afterDeletion` after a deletion, which may remove the last page.
     */
    refresh,
    afterDeletion,
    /** The user's permissions on the records. */
    may: usePermissions(route),
    query,
    route,
    /** The outcome of the last load that has finished, and whether a newer one is in progress. */
    loaded,
    load,
    /** Returns the URL of a page of the list, with another search, sort order, filter or view if given. */
    addressOf,
    /** Returns the URL of the first page with another search, sort order, filter or view (`addressAfter`). */
    addressWith,
    /** Navigates to the URL that `addressWith` returns. */
    arrange: (change: QueryChange, options?: { replace: boolean }) =>
      void navigate(addressWith(change), options),
    /** Props of the search box. */
    search: { search: query.search, to: (search: string) => addressWith({ search }) },
    /** The element that contains the list. */
    section,
  }
}

export type Records<R> = ReturnType<typeof useRecords<ListPage<R>, ListQuery>>

/**
 * Returns the state of the list of a kind of record, and whether the form of a new one has a draft. The page's route is
 * the one that `listRoute` returns.
 */
export const useListRecords = <
  K extends keyof Lists,
  Q extends ListQuery,
  R,
  L extends ListPage<R> = ListPage<R>,
>(
  { resource, route, address, sortAfter, draftOf }: RecordKind<K, Q, R>,
  reload?: Settings<L, Q>['reload'],
) => ({
  ...useRecords<L, Q>({
    route,
    address,
    sortAfter,
    reload,
    ...useLoaderData<ListData<Q, L>>(),
  }),
  hasDraft: useHasDraft(draftOf(), begunDraftOf(resource)),
})

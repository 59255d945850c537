import { type RefObject, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { Permissions } from '~/core'
import { useAfterDeletion } from '~/lib/deletion'
import { type Loaded, type Outcome, useLoaded } from '~/lib/load'
import { type ListQuery, listAddress } from '~/lib/query'
import { usePermissions } from '~/lib/session'
import { useDialogs } from './useDialogs'

/** A page of a list. */
export type ListPage<R> = {
  data: R[]
  totalItems: number
  totalPages: number
  /** The page number; undefined if the response doesn't say it. */
  currentPage?: number
}

/** The state of a list and its dialogs. */
export type Records<R, L extends ListPage<R> = ListPage<R>> = ReturnType<typeof useDialogs<R>> & {
  /** The user's permissions on these records. */
  may: Permissions
  /** The page number in the URL. */
  page: number
  /** The list, as it is to be displayed. */
  loaded: Loaded<L>
  /** Returns the URL of a page. */
  addressOf: (page: number) => string
  /** Props of the search box. */
  search: { search: string; to: (search: string) => string }
  /** The element that contains the list. */
  section: RefObject<HTMLElement | null>
}

type Settings<L extends ListPage<unknown>, Q extends ListQuery> = {
  /** The path of the list. */
  route: string
  /** Page, search and filters, as in the URL. */
  query: Q
  promise: Promise<Outcome<L>>
  /** Returns the URL of a query. */
  address?: (query: Q) => string
  /** Loads the data again after a record was saved. */
  reload?: (record?: L['data'][number]) => void
}

/** Returns the state of a list page from the data of its loader. */
export function useRecords<L extends ListPage<unknown>, Q extends ListQuery>({
  route,
  query,
  promise,
  address = query => listAddress(route, query),
  reload,
}: Settings<L, Q>): Records<L['data'][number], L> {
  const section = useRef<HTMLElement>(null)
  const { revalidate } = useRevalidator()
  const addressOf = (page: number) => address({ ...query, page })
  const { shown, afterDeletion } = useAfterDeletion({
    loaded: useLoaded(promise),
    page: query.page,
    pagesOf: ({ totalPages }) => totalPages,
    to: addressOf,
    list: section,
  })
  return {
    ...useDialogs<L['data'][number]>(reload ?? (() => void revalidate()), afterDeletion),
    may: usePermissions(route),
    page: query.page,
    loaded: shown,
    addressOf,
    search: { search: query.search, to: search => address({ ...query, page: 1, search }) },
    section,
  }
}

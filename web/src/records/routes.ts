import { type ComponentType, createElement } from 'react'
import { type NonIndexRouteObject, useParams } from 'react-router'
import type { Records } from '~/core'
import { pageRoute } from '~/lib/pageRoute'
import type { ListQuery } from '~/lib/query'
import type { RecordKind } from './kind'
import { listLoader, recordLoader } from './loaders'

/** Returns the route of a list's page. `load` fetches the page's code when the page is first opened. */
export const listRoute = <L extends keyof Records, Q extends ListQuery, R>(
  { resource, read, list }: RecordKind<L, Q, R>,
  load: () => Promise<ComponentType>,
): NonIndexRouteObject => pageRoute(resource, load, listLoader(read, list))

/** Returns whether a part of a URL can be a record's id: a UUID has at least one digit, that of its version. */
const canBeId = (id = '') => /\d/.test(id)

/**
 * Returns the route of a record's page, for a page that uses `useRecordPage`. If the URL can't be that of a record, such
 * as `/dashboard/vehicles/new`, the app shows the page for an unknown URL.
 */
export const recordRoute = <L extends keyof Records, Q extends ListQuery, R>(
  { resource }: RecordKind<L, Q, R>,
  load: () => Promise<ComponentType>,
): NonIndexRouteObject => {
  const loadRecord = recordLoader((core, id) => core.getRecord(resource, id))
  return pageRoute(
    `${resource}/:id`,
    async () => withKey(await load()),
    args => {
      if (!canBeId(args.params.id)) throw new Response(null, { status: 404 })
      return loadRecord(args)
    },
  )
}

/** Returns a component whose state is reset when another record is opened. */
export const withKey = (Page: ComponentType) =>
  function RecordRoute() {
    return createElement(Page, { key: useParams().id })
  }

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

/** Returns the route of a record's page, for a page that uses `useRecordPage`. */
export const recordRoute = <L extends keyof Records, Q extends ListQuery, R>(
  { resource }: RecordKind<L, Q, R>,
  load: () => Promise<ComponentType>,
): NonIndexRouteObject =>
  pageRoute(
    `${resource}/:id`,
    async () => withKey(await load()),
    recordLoader((core, id) => core.getRecord(resource, id)),
  )

/** Returns a component whose state is reset when another record is opened. */
const withKey = (Page: ComponentType) =>
  function RecordRoute() {
    return createElement(Page, { key: useParams().id })
  }

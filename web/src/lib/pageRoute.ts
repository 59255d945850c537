import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'

/** Returns the route of a page whose code is loaded when it opens. */
export const pageRoute = (
  path: string,
  load: () => Promise<ComponentType>,
  loader?: RouteObject['loader'],
): RouteObject => ({ path, loader, lazy: async () => ({ Component: await load() }) })

import type { ComponentType } from 'react'
import type { NonIndexRouteObject } from 'react-router'

/** Returns the route of a page. `load` fetches the page's code when the page is first opened. */
export const pageRoute = (
  path: string,
  load: () => Promise<ComponentType>,
  loader?: NonIndexRouteObject['loader'],
): NonIndexRouteObject => ({ path, loader, lazy: async () => ({ Component: await load() }) })

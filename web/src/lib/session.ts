import { useMemo } from 'react'
import { useRouteLoaderData } from 'react-router'
import { core, type PermissionResource, type Permissions, type Profile } from '~/core'

/** The id of the route that knows who is signed in; every screen below the shell lies under it. */
export const SESSION_ROUTE = 'session'

export type Session = { profile: Profile; resources: PermissionResource[] }

/** Who is signed in, and what they may do. Only below the shell. */
export function useSession(): Session {
  return useRouteLoaderData(SESSION_ROUTE) as Session
}

/** What the signed-in person may do on the screen of this route. */
export function usePermissions(route: string): Permissions {
  const { resources } = useSession()
  return useMemo(() => core.permissionsForRoute(resources, route), [resources, route])
}

export function fullName(profile: Profile): string {
  return `${profile.first_name} ${profile.last_name}`.trim() || profile.email
}

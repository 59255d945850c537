import { useCallback, useMemo } from 'react'
import { useRevalidator, useRouteLoaderData } from 'react-router'
import { core, type PermissionResource, type Permissions, type Profile, type ResourceId } from '~/core'
import { canRead } from './resources'
import { storedValue } from './storedValue'

/** The id of the route that loads the session. Every page below the shell is a child of it. */
export const SESSION_ROUTE = 'session'

export type Session = { profile: Profile; resources: PermissionResource[] }

/** Returns the signed-in user and their permissions. Only below the shell. */
export function useSession(): Session {
  return useRouteLoaderData(SESSION_ROUTE) as Session
}

/**
 * The last session on this device, so that the app opens offline. It only decides which pages open: the server
 * authorizes every request.
 */
export const storedSession = storedValue<Session>('localStorage', 'session')

// Counts changes of the session, and how many of them the session's loader has seen.
let changes = 0
let seen = 0

/** Tells the session's loader whether it has to reload. */
export const sessionVersion = {
  count: () => changes,
  isOutdated: () => changes !== seen,
  markSeen: (count: number) => {
    seen = count
  },
}

/** Returns a function that reloads the page after a change, with the session if the change concerns it. */
export function useReload(): (isOwn: boolean) => void {
  const { revalidate } = useRevalidator()
  const renewSession = useRenewSession()
  return isOwn => void (isOwn ? renewSession() : revalidate())
}

/** Returns a function that reloads the session and the page, after the user's data has changed. */
export function useRenewSession(): () => Promise<void> {
  const { revalidate } = useRevalidator()
  return useCallback(() => {
    changes += 1
    return revalidate()
  }, [revalidate])
}

/** Returns the signed-in user's permissions for the resource of `route`. */
export function usePermissions(route: string): Permissions {
  const { resources } = useSession()
  return useMemo(() => core.permissionsForRoute(resources, route), [resources, route])
}

/** Returns whether the signed-in user may read the records of a resource, whose page is at `route`. */
export function useCanRead(name: ResourceId, route: string): boolean {
  const { resources } = useSession()
  return useMemo(() => canRead(resources, name, route), [resources, name, route])
}

export function fullName(profile: Profile): string {
  return `${profile.first_name} ${profile.last_name}`.trim() || profile.email
}

import { useCallback, useMemo } from 'react'
import { useRevalidator, useRouteLoaderData } from 'react-router'
import { core, type PermissionResource, type Permissions, type Profile, type ResourceId } from '~/core'
import { canRead } from './resources'
import { storedValue } from './storedValue'

/** The id of the route that loads the session. All pages of signed-in users are its children. */
export const SESSION_ROUTE = 'session'

export type Session = { profile: Profile; resources: PermissionResource[] }

/** Returns the signed-in user and their permissions. Only for pages of signed-in users. */
export function useSession(): Session {
  return useRouteLoaderData(SESSION_ROUTE) as Session
}

/**
 * The profile and permissions of the last session on this device, so that the app opens offline. They only decide which
 * pages open: the server authorizes every request.
 */
export const storedSession = storedValue<Session>('localStorage', 'session')

// The number of changes of the session, and the number of those that the session's loader has loaded.
let changes = 0
let seen = 0

/** By this, the session's loader knows whether it has to load the session again. */
export const sessionVersion = {
  count: () => changes,
  isOutdated: () => changes !== seen,
  markSeen: (count: number) => {
    seen = count
  },
}

/**
 * Returns a function that reloads the page's data after a change, and also the session if `isOwn` (the user's own
 * data).
 */
export function useReload(): (isOwn: boolean) => void {
  const { revalidate } = useRevalidator()
  const renewSession = useRenewSession()
  return isOwn => void (isOwn ? renewSession() : revalidate())
}

/**
 * Returns a function that reloads the session and the page's data, after the user's profile or permissions have
 * changed.
 */
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

/** Returns whether the signed-in user may read the resource's records and open its page, `route`. */
export function useCanRead(name: ResourceId, route: string): boolean {
  const { resources } = useSession()
  return useMemo(() => canRead(resources, name, route), [resources, name, route])
}

type Named = Pick<Profile, 'first_name' | 'last_name' | 'email'>

/** Returns a user's full name; the e-mail address if the user has no name. */
export const fullName = ({ first_name, last_name, email }: Named) =>
  `${first_name} ${last_name}`.trim() || email

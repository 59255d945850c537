import { useCallback, useMemo } from 'react'
import { useRevalidator, useRouteLoaderData } from 'react-router'
import { core, type PermissionResource, type Permissions, type Profile } from '~/core'

/** The id of the route that knows who is signed in; every screen below the shell lies under it. */
export const SESSION_ROUTE = 'session'

export type Session = { profile: Profile; resources: PermissionResource[] }

/** Who is signed in, and what they may do. Only below the shell. */
export function useSession(): Session {
  return useRouteLoaderData(SESSION_ROUTE) as Session
}

const KEPT = 'session'

/**
 * Who was signed in last on this device, so that the app opens for them without a network too. It opens screens and
 * nothing more: whatever they show or change is asked of the server, which knows the truth.
 */
export const keptSession = {
  keep: (session: Session) => localStorage.setItem(KEPT, JSON.stringify(session)),
  read(): Session | undefined {
    const kept = localStorage.getItem(KEPT)
    return kept === null ? undefined : JSON.parse(kept)
  },
  forget: () => localStorage.removeItem(KEPT),
}

// How often something about the signed-in person has changed, and how much of that the session's route knows.
let changes = 0
let known = 0

/** For the session's route: does it have to ask the server anew, and what it knows once it has. */
export const sessionChanges = {
  count: () => changes,
  areNews: () => changes !== known,
  know: (count: number) => {
    known = count
  },
}

/** Asks the server anew who is signed in, after something about them has changed. The page loads anew with it. */
export function useRenewSession(): () => Promise<void> {
  const { revalidate } = useRevalidator()
  return useCallback(() => {
    changes += 1
    return revalidate()
  }, [revalidate])
}

/** What the signed-in person may do on the screen of this route. */
export function usePermissions(route: string): Permissions {
  const { resources } = useSession()
  return useMemo(() => core.permissionsForRoute(resources, route), [resources, route])
}

export function fullName(profile: Profile): string {
  return `${profile.first_name} ${profile.last_name}`.trim() || profile.email
}

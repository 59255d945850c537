import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { core, type PermissionResource } from '~/core'
import { canOpen } from '~/lib/resources'
import { useSession } from '~/lib/session'
import type { Kind } from '~/records/kind'
import { kinds } from '~/records/kinds'
import { requestCreate } from '~/ui/createRequest'
import { findShortcut } from '~/ui/shortcuts'

/** Returns whether the user may create records on the page at `route`. */
export const mayCreate = (resources: PermissionResource[], route: string) =>
  core.permissionsForRoute(resources, route).can_create === true && canOpen(resources, route)

/** Returns the kinds of records that the user may create, and a function that opens the form of a new record. */
export function useCreate() {
  const { resources } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const create = ({ route }: Kind) => {
    // If the list is already open, the page's own shortcut opens the form, so that the list keeps its search and page.
    const shortcut = pathname === route ? findShortcut('n') : undefined
    if (shortcut) shortcut.run()
    else void navigate(route, { state: requestCreate() })
  }
  const creatable = useMemo(
    () =>
      resources
        .flatMap(({ resource_id }) => kinds.get(resource_id) ?? [])
        .filter(({ route }) => mayCreate(resources, route)),
    [resources],
  )
  return { creatable, create }
}

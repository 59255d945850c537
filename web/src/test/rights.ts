import type { Permissions } from '~/core'
import { moduleResource, servePermissions, signInUser } from './open'

const titles = { users: 'Users Management', roles: 'Roles Management' }

export const allPermissions: Permissions = {
  can_read: true,
  can_create: true,
  can_update: true,
  can_delete: true,
}
export const noPermissions: Permissions = {
  can_read: false,
  can_create: false,
  can_update: false,
  can_delete: false,
}
export const readPermission: Permissions = { ...noPermissions, can_read: true }

/** Signs in a user with these permissions on users and on roles; by default none. */
export function signInForAdministration(rights: { users?: Permissions; roles?: Permissions }) {
  signInUser()
  const resources = (['users', 'roles'] as const).map((id, index) => ({
    ...moduleResource(id, titles[id], rights[id] ?? noPermissions),
    position: index + 1,
  }))
  servePermissions(...resources)
}

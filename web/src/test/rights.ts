import type { PermissionResource, Permissions } from '~/core'
import { network } from './network'
import { contactsResource, signInUser } from './open'

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

/** Signs in a user with these permissions for users and roles. */
export function signInForAdministration(rights: { users?: Permissions; roles?: Permissions }) {
  signInUser()
  const resources = (['users', 'roles'] as const).map(
    (id, index): PermissionResource => ({
      ...contactsResource(rights[id] ?? noPermissions),
      resource_id: id,
      title: titles[id],
      route: `/dashboard/${id}`,
      position: index + 1,
    }),
  )
  network.on('GET /api/rbac/user-permissions', () => ({ body: { success: true, data: { resources } } }))
}

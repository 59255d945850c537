import type { GrantInput, Permissions, PermissionsInput, Role, RoleResource } from '~/core'
import { network } from './network'
import { open } from './open'
import { allPermissions, noPermissions, readPermission, signInForAdministration } from './rights'

const resource = (
  resource_id: string,
  title: string,
  permissions: Permissions,
  subresources: RoleResource[] = [],
): RoleResource => ({
  resource_id,
  title,
  route: `/dashboard/${resource_id.replace('.list', '').replace('.', '/')}`,
  icon: 'contact',
  description: `About ${title}`,
  position: resource_id.endsWith('imports') ? 2 : 1,
  has_subresources: subresources.length > 0,
  permissions,
  grantable: allPermissions,
  subresources,
})

/** Returns a permission matrix of customers, and of contacts with the subresources `list` and `imports`. */
export const matrix = (
  customers: Permissions,
  list: Permissions,
  imports: Permissions,
): Role['permissions'] => ({
  contacts: {
    ...resource('contacts', 'Contacts', list, [
      resource('contacts.list', 'All contacts', list),
      resource('contacts.imports', 'Imports', imports),
    ]),
    position: 2,
  },
  customers: resource('customers', 'Customers', customers),
})

export const role = (name: string, more: Partial<Role> = {}): Role => ({
  role_id: name.toLowerCase(),
  name,
  description: `${name} at the desk`,
  permissionsCount: 1,
  permissions: matrix(readPermission, noPermissions, noPermissions),
  usersCount: 2,
  version: 1,
  can_update: true,
  can_assign: true,
  ...more,
})

/** Returns the permissions that a server stores for the permission matrix that a request contains. */
export const storedPermissions = (sent: GrantInput[]): Role['permissions'] => {
  const of = (lines: GrantInput[], id: string) => {
    const {
      can_read = false,
      can_create = false,
      can_update = false,
      can_delete = false,
    } = lines.find(line => line.resource_id === id) ?? {}
    return { can_read, can_create, can_update, can_delete }
  }
  const parts = sent.find(line => line.resource_id === 'contacts')?.subresources ?? []
  return matrix(of(sent, 'customers'), of(parts, 'contacts.list'), of(parts, 'contacts.imports'))
}

/** Makes the fake server respond with a list of these roles, and accept and remember changes of their permissions. */
export function serveRoles(...roles: Role[]) {
  const server = { roles }
  network.on('GET /api/rbac/roles', () => ({ body: { success: true, data: server.roles } }))
  for (const { role_id } of roles) {
    network.on(`POST /api/rbac/roles/${role_id}/permissions`, ({ body }) => {
      const old = server.roles.find(one => one.role_id === role_id) ?? role('Nobody')
      const { permissions = [] } = body as PermissionsInput
      const data = { ...old, permissions: storedPermissions(permissions), version: old.version + 1 }
      server.roles = server.roles.map(one => (one === old ? data : one))
      return { body: { success: true, message: 'Permissions updated successfully', data } }
    })
  }
  return server
}

/** Opens the roles page with these roles on the fake server; by default Reception and Sales. */
export function openRoles(...roles: Role[]) {
  signInForAdministration({ roles: allPermissions })
  const server = serveRoles(...(roles.length > 0 ? roles : [role('Reception'), role('Sales')]))
  return { server, ...open('/dashboard/roles') }
}

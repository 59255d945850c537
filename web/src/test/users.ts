import type { User } from '~/core'
import { type ApiRequest, network } from './network'
import { open } from './open'
import { paginate } from './records'
import { allPermissions, signInForAdministration } from './rights'
import { role, serveRoles } from './roles'

export const sales = { role_id: 'r1', name: 'Sales' }
export const reception = { role_id: 'r2', name: 'Reception' }

/** Returns the user "Hugo Berg" with a letter after the name for the number, and with the changes `more`. */
export const user = (number: number, more: Partial<User> = {}): User => ({
  user_id: `id-${number}`,
  first_name: 'Hugo',
  last_name: `Berg ${String.fromCharCode(64 + (number % 26 || 26))}`,
  email: `hugo${number}@nordbil.example`,
  mobile: '070',
  role: sales,
  permissionsCount: 3,
  user_type: 'User',
  created_at: '2026-03-05T08:00:00Z',
  is_active: true,
  is_banned: false,
  can_update: true,
  can_delete: true,
  version: 4,
  ...more,
})

/** Returns the response to a request for a page of these users. */
export const pageOf = (users: User[], call: ApiRequest) => ({
  body: { success: true, ...paginate(users, call) },
})

export const usersOf = (count: number) => Array.from({ length: count }, (_, i) => user(i + 1))

/** Opens the list of users as an administrator. */
export function openUsers(users: User[], address = '/dashboard/users') {
  signInForAdministration({ users: allPermissions, roles: allPermissions })
  const server = { users }
  network.on('GET /api/users', call => pageOf(server.users, call))
  serveRoles(role('Sales', sales), role('Reception', reception))
  return { server, ...open(address) }
}

import type { Corporation, CorporationUser } from '~/core'
import { EMPTY_COMPANY } from '~/records/company'
import { type ApiRequest, network } from './network'
import { moduleResource, servePermissions, signInUser } from './open'
import { listOf, paginate } from './records'
import { allPermissions } from './rights'

export const corporation = (number: number, more: Partial<Corporation> = {}): Corporation => ({
  ...EMPTY_COMPANY,
  corp_id: `c-${number}`,
  corp_name: `Bil ${number} AB`,
  corp_active: true,
  allowed_resources: ['customers', 'contacts'],
  allowed_resources_names: ['Customers', 'Contacts'],
  organization_number: `559360-${1000 + number}`,
  country: 'GB',
  corp_contact_name: '',
  corp_contact_email: '',
  awaits_approval: false,
  is_platform: false,
  version: 3,
  ...more,
})

export const user = (id: string, first: string, more: Partial<CorporationUser> = {}): CorporationUser => ({
  id,
  first,
  last: 'Whitfield',
  email: `${id}@kestrel.example`,
  mobile: '',
  type: 'User',
  is_active: true,
  can_deactivate: true,
  version: 5,
  ...more,
})

/** Signs in a platform administrator. */
export function signInPlatformAdministrator() {
  signInUser()
  servePermissions(moduleResource('corporations', 'Corporations', allPermissions))
}

/** Returns the response to a request for a page of `total` corporations. */
export function pageOf(total: number, call: ApiRequest) {
  const all = Array.from({ length: total }, (_, i) => corporation(i + 1))
  return { body: { success: true, ...paginate(all, call) } }
}

export const serveCorporationCount = (total: number) =>
  network.on('GET /api/corporations', call => pageOf(total, call))

/** Makes the fake server respond with a list of these corporations. */
export const serveCorporations = (...data: Corporation[]) =>
  network.on('GET /api/corporations', () => listOf(data))

/**
 * Makes the fake server respond with the corporation Kestrel, and at each request for users with a page of those that
 * `users` returns.
 */
export function serveKestrel(users: (request: ApiRequest) => CorporationUser[]) {
  const body = { success: true, data: corporation(1, { corp_name: 'Kestrel Cars Ltd' }) }
  network.on('GET /api/corporations/c-1', () => ({ body }))
  network.on('GET /api/corporations/c-1/users', request => ({
    body: { success: true, ...paginate(users(request), request) },
  }))
}

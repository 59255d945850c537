import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Providers } from '~/app/Providers'
import { routes } from '~/app/routes'
import type { PermissionResource } from '~/core'
import { network } from './network'

const roots: Root[] = []

/** Opens the real app at an address. */
export function open(address: string) {
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  roots.push(root)
  root.render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  )
  return {
    address: () => router.state.location.pathname + router.state.location.search,
    go: (to: number) => router.navigate(to),
    visit: (to: string) => router.navigate(to),
  }
}

export function closeAll() {
  for (const root of roots.splice(0)) root.unmount()
  document.body.replaceChildren()
}

const encoded = (part: object) => btoa(JSON.stringify(part))

/** A token that lasts a quarter of an hour. Only the server could tell that nobody signed it. */
export function token(role: string): string {
  const now = Math.floor(Date.now() / 1000)
  return [
    encoded({ alg: 'HS256' }),
    encoded({ user_id: 'u1', role, iat: now, exp: now + 900 }),
    'unsigned',
  ].join('.')
}

const everything = { can_read: true, can_create: true, can_update: true, can_delete: true }

/** Contacts as the one resource there is, with the given permissions. */
export function contactsResource(permissions: PermissionResource['permissions']): PermissionResource {
  const resource = { position: 1, has_subresources: false, subresources: [], permissions, allowed: true }
  return {
    ...resource,
    resource_id: 'contacts',
    title: 'Contacts',
    route: '/dashboard/contacts',
    icon: 'contact',
  }
}

/** Somebody is signed in. */
export function signedIn(permissions: PermissionResource['permissions'] = everything) {
  localStorage.setItem('accessToken', token('Admin'))
  localStorage.setItem('refreshToken', 'r1')
  const profile = {
    id: 'u1',
    email: 'ada@nordbil.example',
    first_name: 'Ada',
    last_name: 'Lind',
    mobile: '',
    type: 'Admin',
    role: '',
    corp: { corp_id: 'c1', corp_name: 'Nordbil AB' },
  }
  network.on('GET /api/auth/profile/detail', () => ({ body: { success: true, data: profile } }))
  network.on('GET /api/rbac/user-permissions', () => ({
    body: { success: true, data: { resources: [contactsResource(permissions)] } },
  }))
  // Of nobody's work anything is counted, unless a test says so.
  network.on('GET /api/dashboard', () => ({ body: { success: true, data: {} } }))
}

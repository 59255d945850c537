import { Fragment, StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { Providers } from '~/app/Providers'
import { routes } from '~/app/routes'
import type { PermissionResource, Permissions, UserType } from '~/core'
import { network } from './network'

const roots: Root[] = []

/** Renders the whole app at a URL, with a memory router. With `isStrict`, in StrictMode, as `main.tsx` does. */
export function open(address: string, isStrict = false) {
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  roots.push(root)
  const Mode = isStrict ? StrictMode : Fragment
  root.render(
    <Mode>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </Mode>,
  )
  return {
    address: () => router.state.location.pathname + router.state.location.search,
    go: (to: number) => router.navigate(to),
    visit: (to: string) => router.navigate(to),
  }
}

/** Returns the texts of the elements that a locator finds. */
export const textsOf = (locator: Locator) => locator.elements().map(element => element.textContent)

/** Waits until the only alert has this text. */
export const expectAlert = (text: string | RegExp) =>
  expect.element(page.getByRole('alert')).toHaveTextContent(text)

/** Waits for the dialog that asks before a deletion. Returns the dialog and its button that confirms. */
export async function findDeletionQuestion(noun: 'customer' | 'user', name: string) {
  const dialog = page.getByRole('dialog', { name: `Delete ${noun}` })
  // A deleted customer is in the trash.
  const warning = noun === 'user' ? ' This action cannot be undone.' : ''
  const question = `Are you sure you want to delete this ${noun}?${warning}`
  await expect.element(dialog.getByText(question)).toBeVisible()
  await expect.element(dialog.getByText(name)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  return { dialog, confirm: dialog.getByRole('button', { name: `Delete ${noun}` }) }
}

export function closeAll() {
  for (const root of roots.splice(0)) root.unmount()
  document.body.replaceChildren()
}

/** Closes the page as a reload does, without the app noticing: the session storage stays. */
export async function unload() {
  const stored = Object.entries<string>(sessionStorage)
  closeAll()
  // A form deletes its draft in a microtask.
  await Promise.resolve()
  for (const [key, value] of stored) sessionStorage.setItem(key, value)
}

const encode = (part: object) => btoa(JSON.stringify(part))

/**
 * Returns an access token of a user that expires in 15 minutes. Its signature is invalid, which only a real server
 * would notice.
 */
export function token(role: string, user = 'u1'): string {
  const now = Math.floor(Date.now() / 1000)
  return [
    encode({ alg: 'HS256' }),
    encode({ user_id: user, role, iat: now, exp: now + 900 }),
    'unsigned',
  ].join('.')
}

const allPermissions = { can_read: true, can_create: true, can_update: true, can_delete: true }

/** Returns the resource "contacts" with these permissions. */
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

/** Returns a resource that is a module, with these permissions of the signed-in user. */
export const moduleResource = (id: string, title: string, permissions: Permissions): PermissionResource => ({
  ...contactsResource(permissions),
  resource_id: id,
  title,
  route: `/dashboard/${id}`,
})

/** From now on, the fake server returns these resources with their permissions as those of the signed-in user. */
export const servePermissions = (...resources: PermissionResource[]) =>
  network.on('GET /api/rbac/user-permissions', () => ({ body: { success: true, data: { resources } } }))

/** Signs in a user, by default an Admin, whose only resource is contacts, with these permissions. */
export function signInUser(
  permissions: PermissionResource['permissions'] = allPermissions,
  type: UserType = 'Admin',
  more: { id?: string; email?: string } = {},
) {
  localStorage.setItem('accessToken', token(type))
  localStorage.setItem('refreshToken', 'r1')
  const profile = {
    id: 'u1',
    email: 'ada@nordbil.example',
    first_name: 'Ada',
    last_name: 'Lind',
    mobile: '',
    type,
    role: '',
    corp: { corp_id: 'c1', corp_name: 'Nordbil AB', country: 'GB', currency: 'GBP', vat_rate: 20 },
    ...more,
  }
  network.on('GET /api/auth/profile/detail', () => ({ body: { success: true, data: profile } }))
  servePermissions(contactsResource(permissions))
  // By default, the dashboard is empty.
  network.on('GET /api/dashboard', () => ({ body: { success: true, data: {} } }))
}

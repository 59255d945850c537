import { expect, test } from 'vitest'
import { ariaCurrentFor } from './currentLink'

const routes = ['/dashboard/contacts', '/dashboard/contacts/imports', '/dashboard/users']

test.each([
  ['/dashboard/contacts', ['page', undefined, undefined]],
  ['/dashboard/contacts/7', ['true', undefined, undefined]],
  ['/dashboard/contacts/imports', [undefined, 'page', undefined]],
  ['/dashboard/contacts/imports/new', [undefined, 'true', undefined]],
  ['/dashboard/usersX', [undefined, undefined, undefined]],
  ['/dashboard', [undefined, undefined, undefined]],
])('at %s only the closest link is marked', (pathname, marks) => {
  expect(
    routes.map(
      ariaCurrentFor(
        routes.map(route => ({ route })),
        pathname,
      ),
    ),
  ).toEqual(marks)
})

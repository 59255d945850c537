import { expect, test } from 'vitest'
import { actorName } from './actorName'

test('an actor without an account is named by a message, any other by their own name', () => {
  const message = { code: 'users.deleted_user', text: 'Removed user' }
  expect(actorName({ name: 'Deleted user', name_message: message })).toBe('Removed user')
  expect(actorName({ name: 'Ada Lindqvist' })).toBe('Ada Lindqvist')
})

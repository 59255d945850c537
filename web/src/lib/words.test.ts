import { beforeAll, expect, test, vi } from 'vitest'
import { core, loadCore } from '~/core'
import { loadLists } from '~/core/lists'
import { customerRoleName, roleName, storedRoleDescription, storedRoleName, warrantyName } from './words'

// The language is read when its module is loaded.
vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => 'sv' }))
beforeAll(() => loadCore())

test('on a Swedish page, the first role has a Swedish name, stored in English', () => {
  expect(roleName('Administrator')).toBe('Administratör')
  expect(storedRoleName(' Administratör ')).toBe('Administrator')
  const { firstRoleDescription } = core.texts().roles
  expect(storedRoleDescription('Allt som företaget får använda')).toBe(firstRoleDescription.text)
  for (const other of ['', 'Sälj', 'administrator'])
    expect([roleName(other), storedRoleName(other)]).toEqual([other, other])
})

test('on a Swedish page, the role that core gives to new customers has a Swedish name', async () => {
  const lists = await loadLists()
  const role = lists.listFields('customers').find(({ name }) => name === 'role')
  expect(role?.choices.map(customerRoleName)).toEqual(['Köpare'])
})

test("a customer's warranty in a client's own words stays as it is", () => {
  for (const words of ['Two years', 'constructor', '__proto__']) expect(warrantyName(words)).toBe(words)
  expect(warrantyName('None')).toBe('Ingen garanti')
})

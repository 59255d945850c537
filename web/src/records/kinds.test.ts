import { expect, test } from 'vitest'
import { loadLists } from '~/core/lists'
import { iconOf } from '~/ui/icons'
import { namesOf } from './choiceName'
import { isListed, kinds } from './kinds'

test('each kind of record has an icon of its own', () => {
  const icons = [...kinds.values()].map(({ icon }) => iconOf(icon))
  expect(icons).not.toContain(iconOf(''))
  expect(new Set(icons).size).toBe(kinds.size)
})

test('the values of each choice field have names, except units', async () => {
  const rules = await loadLists()
  const fields = [...kinds.values()].filter(isListed).flatMap(({ resource }) => rules.listFields(resource))
  const unnamed = fields.filter(({ kind }) => kind === 'choice').filter(({ choices }) => !namesOf(choices))
  expect(unnamed.map(({ name }) => name)).toEqual(['mileage_unit'])
})

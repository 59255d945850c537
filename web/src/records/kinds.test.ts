import { expect, test } from 'vitest'
import { iconOf } from '~/ui/icons'
import { kinds } from './kinds'

test('each kind of record has an icon of its own', () => {
  const icons = [...kinds.values()].map(({ icon }) => iconOf(icon))
  expect(icons).not.toContain(iconOf(''))
  expect(new Set(icons).size).toBe(kinds.size)
})

import { beforeAll, expect, test, vi } from 'vitest'
import { loadCore } from '~/core'
import { type ValueField, valueText } from './conditions'

// The language is read when its module is loaded.
vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => 'sv' }))
beforeAll(() => loadCore())

test('on a Swedish page, a text that a list offers has the words of that list', () => {
  const shown = (list: ValueField['list'], text: string) =>
    valueText(text, { list, name: 'role', kind: 'text', choices: ['Administrator', 'buyer'] })
  expect(shown('users', 'Administrator')).toBe('Administratör')
  expect(shown('users', 'buyer')).toBe('buyer')
  expect(shown('customers', 'buyer')).toBe('Köpare')
  expect(shown('customers', 'Administrator')).toBe('Administrator')
})

import { beforeAll, expect, test, vi } from 'vitest'
import { loadCore } from '~/core'
import { loadLists } from '~/core/lists'
import { conditionText, operatorName, type ValueField, valueText } from './conditions'

// The language is read when its module is loaded.
vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => 'sv' }))
beforeAll(() => Promise.all([loadCore(), loadLists()]))

test('on a Swedish page, a text that a list offers has the words of that list', () => {
  const shown = (list: ValueField['list'], text: string) =>
    valueText(text, { list, name: 'role', kind: 'text', choices: ['Administrator', 'buyer'] })
  expect(shown('users', 'Administrator')).toBe('Administratör')
  expect(shown('users', 'buyer')).toBe('buyer')
  expect(shown('customers', 'buyer')).toBe('Köpare')
  expect(shown('customers', 'Administrator')).toBe('Administrator')
})

test.each([
  ['is', 'today-1', 'är i går'],
  ['lt', 'today+14', 'är före 14 dagar framåt'],
  ['between', ['today-30', 'today+14'], 'är mellan 30 dagar bakåt och 14 dagar framåt'],
  ['lt', 'month-2', 'är före 2 månader bakåt'],
  ['gte', 'month', 'är från och med den här månaden'],
  ['lte', 'month+2', 'är till och med 2 månader framåt'],
  ['in', ['year-1', 'year-2', 'year+2'], 'är någon av förra året, 2 år bakåt, 2 år framåt'],
])('on a Swedish page, a filter with "%s" "%s" says "%s"', (op, value, words) => {
  const field: ValueField = { list: 'agreements', name: 'agreed_on', kind: 'date', choices: [] }
  const text = conditionText({ field: 'agreed_on', op, value }, field)
  expect(`${operatorName(op, 'date')} ${text}`).toBe(words)
})

test('a date or time that does not exist is shown as it is', () => {
  const shown = (kind: ValueField['kind'], text: string) =>
    valueText(text, { list: 'agreements', name: 'agreed_on', kind, choices: [] })
  for (const text of ['2026-02-30', '2026-02', 'soon']) expect(shown('date', text)).toBe(text)
  expect(shown('time', '2026-02-30T10:00:00Z')).toBe('2026-02-30T10:00:00Z')
  expect(shown('date', '2026-02-28')).not.toBe('2026-02-28')
  expect(shown('time', '2026-02-28T10:00:00Z')).not.toBe('2026-02-28T10:00:00Z')
})

import { expect, test } from 'vitest'
import { withReason } from './withReason'

test('withReason appends the reason unless it equals the sentence', () => {
  expect(withReason('It failed.', 'The server is busy.')).toBe('It failed. The server is busy.')
  expect(withReason('It failed.', 'It failed.')).toBe('It failed.')
  expect(withReason('It failed.', undefined)).toBe('It failed.')
})

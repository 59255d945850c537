import { expect, test } from 'vitest'
import { failure } from './format'

test('a failure contains its reason once', () => {
  expect(failure('It failed.', 'The server is busy.')).toBe('It failed. The server is busy.')
  expect(failure('It failed.', 'It failed.')).toBe('It failed.')
  expect(failure('It failed.', undefined)).toBe('It failed.')
})

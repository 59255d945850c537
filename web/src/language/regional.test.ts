import { expect, test } from 'vitest'
import { englishFor } from './regional'

test.each([
  ['sv-SE', 'en-SE'],
  ['sv', 'en-SE'],
  ['de-AT', 'en-AT'],
  ['not a tag', 'en'],
])('an English page in a browser with %s has dates in %s', (tag, locale) => {
  expect(englishFor(tag)).toBe(locale)
})

test('an English page in an English browser has the dates of the browser', () => {
  expect([englishFor('en-GB'), englishFor('en')]).toEqual([undefined, undefined])
})

import { expect, test, vi } from 'vitest'
import { countryChoices, countryName, currencyName, figure } from './format'

// An English page in a Swedish browser.
vi.mock('~/language', () => ({ count: String, locale: 'en', regionalLocale: 'sv-SE' }))

test('a number of a record has the separators of the region', () => {
  expect(figure(125.5)).toBe('125,5')
  expect(figure(8500)).toBe('8500')
  expect(figure(23_400)).toBe('23\u00a0400')
})

test('countries and currencies have names in the language of the page', () => {
  expect(countryName('SE')).toBe('Sweden')
  expect(currencyName('SEK')).toBe('Swedish Krona (SEK)')
  const choices = countryChoices([{ code: 'DE' }, { code: 'DK' }])
  expect(choices.map(({ label }) => label)).toEqual(['Denmark', 'Germany'])
})

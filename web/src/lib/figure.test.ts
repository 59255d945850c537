import { expect, test, vi } from 'vitest'
import { calendarDay, countryChoices, countryName, currencyName, figure } from './format'

// An English page in a Swedish browser.
vi.mock('~/language', () => ({ count: String, locale: 'en', regionalLocale: 'sv-SE', dateLocale: 'en-SE' }))

test('a number of a record has the separators of the region', () => {
  expect(figure(125.5)).toBe('125,5')
  expect(figure(8500)).toBe('8500')
  expect(figure(23_400)).toBe('23\u00a0400')
})

test('a date has the name of its month in the language of the page', () => {
  expect(calendarDay('2026-10-20')).toBe('20 Oct 2026')
})

test('countries and currencies have names in the language of the page', () => {
  expect(countryName('SE')).toBe('Sweden')
  expect(currencyName('SEK')).toBe('Swedish Krona (SEK)')
  const choices = countryChoices([{ code: 'DE' }, { code: 'DK' }])
  expect(choices.map(({ label }) => label)).toEqual(['Denmark', 'Germany'])
})

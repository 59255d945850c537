import { expect, test } from 'vitest'
import { choiceName } from './choiceName'

test('names a value of a choice field, and returns one without a name as it is', () => {
  expect(choiceName('Private', ['Private', 'Business', 'Company', 'Agency', 'Client'])).toBe('Private person')
  expect(choiceName('None', ['None', 'Dealer', 'Manufacturer', 'Insured'])).toBe('No warranty')
  // Another field, which has only some of these values.
  expect(choiceName('Private', ['Private', 'Company'])).toBe('Private')
  expect(choiceName('km', ['km', 'mi'])).toBe('km')
})

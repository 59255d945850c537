import { expect, test } from 'vitest'
import { fitLabels } from './labels'

test.each([
  ['all labels, if they fit', 80, ['150 tn GBP', '148 tn GBP', '0 GBP']],
  ['shorter labels, if the others overlap', 50, ['150 tn', '148 tn', '0']],
  ['without the labels that overlap a later one, if both do', 30, [undefined, '148 tn', '0']],
])('bars have %s', (_, slot, shown) => {
  expect(fitLabels(['150 tn GBP', '148 tn GBP', '0 GBP'], ['150 tn', '148 tn', '0'], slot)).toEqual(shown)
})

import { expect, test } from 'vitest'
import { withWholePlates } from './plates'

test.each([
  ['Mercedes-Benz C 220 d, WFF 35M', 'Mercedes-Benz C 220 d, WFF_35M'],
  ['Volvo V60, AB12 CDB; BMW 320i, HB KT 2311', 'Volvo V60, AB12_CDB; BMW 320i, HB_KT_2311'],
  ['Volvo V60, T6 AWD, ABC 123; Volvo XC40', 'Volvo V60, T6 AWD, ABC_123; Volvo XC40'],
])('the number plates of %s do not break', (names, whole) => {
  expect(withWholePlates(names)).toBe(whole.replaceAll('_', '\u00a0'))
})

import type { Vehicle } from '~/core'
import { count } from '~/lib/format'

/** Returns a mileage with its unit; empty if it is unknown. */
export const mileageText = ({ mileage, mileage_unit }: Pick<Vehicle, 'mileage' | 'mileage_unit'>) =>
  mileage === undefined ? '' : `${count(mileage)} ${mileage_unit}`

import type { Vehicle } from '~/core'
import { figure } from '~/lib/format'

/** Returns a mileage with its unit; empty if it is unknown. */
export const mileageText = ({ mileage, mileage_unit }: Pick<Vehicle, 'mileage' | 'mileage_unit'>) =>
  mileage === undefined ? '' : `${figure(mileage)} ${mileage_unit}`

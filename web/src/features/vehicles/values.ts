import type { StoredVehicle, Vehicle } from '~/core'
import type { ListsCore } from '~/core/lists'
import { today } from '~/lib/today'
import { inputsOf } from '~/records/inputs'
import { costInputOf } from './costs'

const NAMES = [
  'registration_number',
  'registration_country',
  'vin',
  'make',
  'model',
  'variant',
  'model_year',
  'first_registered',
  'body',
  'fuel',
  'transmission',
  'colour',
  'mileage',
  'mileage_unit',
  'mileage_remark',
  'status',
  'ownership',
  'vat_scheme',
  'asking_price',
] as const

const LAST_NAMES = ['in_stock_on', 'location', 'notes'] as const

const INITIAL = { status: 'In stock', ownership: 'Own', vat_scheme: 'Margin' }

/**
 * Returns the form values of a vehicle, in the order of the form; without one, those of the form of a new vehicle.
 */
export const inputOf = (vehicle?: Vehicle) => ({
  ...inputsOf(NAMES, vehicle, INITIAL),
  ...costInputOf(vehicle),
  ...inputsOf(LAST_NAMES, vehicle),
})

/** Returns the stored values of a vehicle with which the rules for an update compare the input. */
export const storedOf = (vehicle?: Vehicle): StoredVehicle | undefined =>
  vehicle && {
    status: vehicle.status,
    mileage: vehicle.mileage,
    mileage_unit: vehicle.mileage_unit,
    mileage_remark: vehicle.mileage_remark,
    in_stock_on: vehicle.in_stock_on,
  }

/**
 * Returns the form values to send for a vehicle that is stored like this: if it comes into stock without a given day,
 * with today's date. The server would add it too, but then refuse the same values if they are sent again.
 */
export const withStockDay = <T extends ReturnType<typeof inputOf>>(
  rules: ListsCore,
  values: T,
  vehicle?: Vehicle,
): T => (rules.isInStockFromToday(values, storedOf(vehicle)) ? { ...values, in_stock_on: today() } : values)

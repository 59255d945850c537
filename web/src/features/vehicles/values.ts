import type { StoredVehicle, Vehicle } from '~/core'
import { costInputOf } from './costs'

/** Returns the form values of a vehicle; without one, those of the form of a new vehicle. */
export const inputOf = (vehicle?: Vehicle) => ({
  registration_number: vehicle?.registration_number ?? '',
  registration_country: vehicle?.registration_country ?? '',
  vin: vehicle?.vin ?? '',
  make: vehicle?.make ?? '',
  model: vehicle?.model ?? '',
  variant: vehicle?.variant ?? '',
  model_year: vehicle?.model_year === undefined ? '' : String(vehicle.model_year),
  first_registered: vehicle?.first_registered ?? '',
  body: vehicle?.body ?? '',
  fuel: vehicle?.fuel ?? '',
  transmission: vehicle?.transmission ?? '',
  colour: vehicle?.colour ?? '',
  // Numbers are texts in the form. Core parses them.
  mileage: vehicle?.mileage === undefined ? '' : String(vehicle.mileage),
  mileage_unit: vehicle?.mileage_unit ?? '',
  mileage_remark: vehicle?.mileage_remark ?? '',
  status: vehicle?.status ?? 'In stock',
  ownership: vehicle?.ownership ?? 'Own',
  vat_scheme: vehicle?.vat_scheme ?? 'Margin',
  asking_price: vehicle?.asking_price === undefined ? '' : String(vehicle.asking_price),
  ...costInputOf(vehicle),
  in_stock_on: vehicle?.in_stock_on ?? '',
  location: vehicle?.location ?? '',
  notes: vehicle?.notes ?? '',
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

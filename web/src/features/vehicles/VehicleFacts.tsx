import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Vehicle } from '~/core'
import { calendarDay, ownMoney } from '~/lib/format'
import { vatSchemeNames } from '~/lib/words'
import { mileageText } from '~/records/vehicles/mileage'
import { Plate } from '~/records/vehicles/Plate'
import { Facts } from '~/ui/Card'
import { fuelNames, ownershipNames, transmissionNames } from './words'

/** The facts that identify and describe a vehicle, such as registration number, model and mileage. */
export function VehicleFacts({ vehicle }: { vehicle: Vehicle }) {
  const { model_year, first_registered, fuel, transmission } = vehicle
  const facts: [string, ReactNode][] = [
    [
      t`Registration number`,
      vehicle.registration_number && (
        <Plate key="plate" country={vehicle.registration_country} number={vehicle.registration_number} />
      ),
    ],
    [t`VIN`, vehicle.vin && <span className="tabular-nums">{vehicle.vin}</span>],
    [t`Make`, vehicle.make],
    [t`Model`, vehicle.model],
    [t`Variant`, vehicle.variant],
    [t`Model year`, model_year],
    [t`First registered`, first_registered && calendarDay(first_registered)],
    [t`Mileage`, mileageText(vehicle)],
    ...(vehicle.mileage_remark
      ? ([[t`Mileage remark`, vehicle.mileage_remark]] satisfies [string, ReactNode][])
      : []),
    [t`Body`, vehicle.body],
    [t`Fuel`, fuel && fuelNames[fuel]],
    [t`Transmission`, transmission && transmissionNames[transmission]],
    [t`Colour`, vehicle.colour],
  ]
  return <Facts facts={facts} />
}

/** The facts about a vehicle in stock: asking price, stock date, ownership, VAT scheme, location and notes. */
export function SaleFacts({ vehicle }: { vehicle: Vehicle }) {
  const { asking_price, in_stock_on, ownership, vat_scheme, location, notes } = vehicle
  return (
    <Facts
      facts={[
        [
          t`Asking price`,
          asking_price !== undefined && (
            <span className="font-medium tabular-nums">{ownMoney(asking_price)}</span>
          ),
        ],
        [t`In stock since`, in_stock_on && calendarDay(in_stock_on)],
        [t`Ownership`, ownershipNames[ownership]],
        [t`VAT scheme`, vatSchemeNames[vat_scheme]],
        [t({ message: 'Location', context: 'vehicle' }), location],
        [t`Notes`, notes],
      ]}
    />
  )
}

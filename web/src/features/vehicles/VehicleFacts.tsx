import type { Vehicle } from '~/core'
import { FieldFacts } from '~/records/FieldFacts'
import { mileageText } from '~/records/vehicles/mileage'
import { Plate } from '~/records/vehicles/Plate'

type Props = { vehicle: Vehicle }

/** The facts that identify and describe a vehicle, such as registration number, model and mileage. */
export function VehicleFacts({ vehicle }: Props) {
  const { registration_country, registration_number, vin, mileage_remark } = vehicle
  return (
    <FieldFacts
      list="vehicles"
      record={vehicle}
      names={[
        'registration_number',
        'vin',
        'make',
        'model',
        'variant',
        'model_year',
        'first_registered',
        'mileage',
        ...(mileage_remark ? (['mileage_remark'] as const) : []),
        'body',
        'fuel',
        'transmission',
        'colour',
      ]}
      values={{
        registration_number: registration_number && (
          <Plate country={registration_country} number={registration_number} />
        ),
        vin: vin && <span className="tabular-nums">{vin}</span>,
        mileage: mileageText(vehicle),
      }}
    />
  )
}

/** The facts about a vehicle in stock: asking price, stock date, ownership, VAT scheme, location and notes. */
export const SaleFacts = ({ vehicle }: Props) => (
  <FieldFacts
    list="vehicles"
    record={vehicle}
    names={['asking_price', 'in_stock_on', 'ownership', 'vat_scheme', 'location', 'notes']}
  />
)

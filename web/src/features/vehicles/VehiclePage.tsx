import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Vehicle } from '~/core'
import { shortOwnMoney } from '~/lib/format'
import { vehicleStatusNames } from '~/lib/words'
import { RecordColumns } from '~/records/RecordColumns'
import { RecordPage } from '~/records/RecordPage'
import { useRecordPage } from '~/records/useRecordPage'
import { useMayReadCosts } from '~/records/vehicles/costs'
import { withWholePlates } from '~/records/vehicles/plates'
import { Card } from '~/ui/Card'
import { CostsCard } from './CostsCard'
import { DaysText } from './DaysInStock'
import { kind } from './kind'
import { PriceCard } from './PriceCard'
import { Gallery } from './photos/Gallery'
import { VehicleAgreements } from './VehicleAgreements'
import { SaleFacts, VehicleFacts } from './VehicleFacts'
import { VehicleForm } from './VehicleForm'

/** The page of a vehicle. */
export function VehiclePage() {
  const page = useRecordPage(kind)
  const mayReadCosts = useMayReadCosts()
  // A price that is changed in the form replaces one that was typed in the price card.
  const [priceSaves, setPriceSaves] = useState(0)
  return (
    <RecordPage
      page={page}
      form={form => (
        <VehicleForm
          {...form}
          // Shown at once: a reload would wait for a price that was typed on the page.
          onSaved={saved => {
            form.onClose(false)
            const vehicle = saved as Vehicle
            page.setRecord(vehicle)
            if (vehicle.asking_price !== form.record?.asking_price) setPriceSaves(count => count + 1)
          }}
        />
      )}
      withoutAvatar
      headingOf={({ name }) => withWholePlates(name)}
      subtitleOf={vehicle => (
        <>
          {`${vehicle.stock_number} · ${vehicleStatusNames[vehicle.status]}`}
          <DaysText {...vehicle} isAfter />
          {/* On a phone, where it has its own line, its card is far below. The price of a sold vehicle is in its
              agreement. */}
          {vehicle.asking_price !== undefined && vehicle.status !== 'Sold' && (
            <>
              <span className="max-sm:hidden"> · </span>
              <span className="font-medium max-sm:block whitespace-nowrap text-ink">
                <span className="sr-only">{t`Asking price`} </span>
                {shortOwnMoney(vehicle.asking_price)}
              </span>
            </>
          )}
        </>
      )}
    >
      {vehicle => (
        <RecordColumns
          kind={kind}
          record={vehicle}
          facts={[[t`Vehicle ID`, vehicle.vehicle_id]]}
          beside={
            <>
              {mayReadCosts && (
                <>
                  <PriceCard
                    key={priceSaves}
                    vehicle={vehicle}
                    mayUpdate={page.may.can_update === true}
                    onSaved={page.setRecord}
                  />
                  <CostsCard
                    vehicle={vehicle}
                    onAdd={page.may.can_update ? () => page.edit(vehicle, 'costs') : undefined}
                  />
                </>
              )}
              <Card title={t`Sale`}>
                <SaleFacts vehicle={vehicle} />
              </Card>
            </>
          }
        >
          <Gallery vehicle={vehicle} mayEdit={page.may.can_update === true} onChange={page.setRecord} />
          <Card title={t`Vehicle`}>
            <VehicleFacts vehicle={vehicle} />
          </Card>
          <VehicleAgreements vehicle={vehicle} />
        </RecordColumns>
      )}
    </RecordPage>
  )
}

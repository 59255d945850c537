import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { readQuery } from '~/lib/query'
import { RecordsPage } from '~/records/RecordsPage'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { Board } from './board/Board'
import { LayoutLinks } from './board/LayoutLinks'
import { columnsFor, sortAfter } from './columns'
import { kind } from './kind'
import { FailedPhotos } from './photos/FailedPhotos'
import { usePhotoAdded } from './photos/uploads'
import { VehicleForm } from './VehicleForm'

const sortedKind = { ...kind, sortAfter }

const words = {
  subtitle: t`Vehicles in stock, expected and sold.`,
  noMatch: (search: string) => t`No name, VIN, registration number or stock number matches “${search}”.`,
  first: t`Add the first vehicle`,
  hint: t`A registration number or a VIN is enough to begin with.`,
}

/** The page with the list of vehicles. */
export function VehiclesPage() {
  const { revalidate } = useRevalidator()
  const [params] = useSearchParams()
  usePhotoAdded(
    useCallback(
      ({ photo_count }) => {
        // The first photo is the cover, which the list shows, so the list is reloaded.
        if (photo_count === 1) runOnceSaved(() => void revalidate())
      },
      [revalidate],
    ),
  )
  return (
    <>
      <FailedPhotos />
      <RecordsPage
        kind={sortedKind}
        words={words}
        columns={columnsFor(readQuery(params))}
        Form={VehicleForm}
        buttons={query => <LayoutLinks query={query} />}
        isBoard={({ layout }) => layout === 'board'}
        board={(records, stale) => <Board records={records} isStale={stale} />}
      />
    </>
  )
}

import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { paths } from '~/lib/paths'
import { addressAfter } from '~/lib/query'
import { useRequest } from '~/lib/request'
import { useCanRead } from '~/lib/session'
import { FilterChips } from '~/records/FilterChips'
import { type AgreementsQuery, kind } from './kind'
import { loadVehicles } from './useLegFacts'

type Props = {
  query: AgreementsQuery
  /** Called when the filter is removed, to move the focus, because the focused link disappears. */
  onRemoved: () => void
}

/** Shows that the list contains only the agreements of one vehicle, with its name, and can remove this filter. */
export function VehicleFilter({ query, onRemoved }: Props) {
  const { vehicle_id } = query
  const mayRead = useCanRead('vehicles', paths.vehicles)
  const request = useMemo(
    () => (mayRead ? (signal: AbortSignal) => loadVehicles([vehicle_id], signal) : undefined),
    [mayRead, vehicle_id],
  )
  const { outcome } = useRequest(request)
  const name = (outcome?.ok && outcome.value[0]?.name) || t`one vehicle`
  const to = addressAfter(kind, query, { vehicle_id: '' })
  return <FilterChips filters={[{ text: t`With ${name}`, tip: name, to }]} onRemoved={onRemoved} />
}

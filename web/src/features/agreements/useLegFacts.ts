import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type Agreement, core, type LegVehicle, type LiveChange, type Vehicle } from '~/core'
import { onLiveEvent } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import { paths } from '~/lib/paths'
import { filterBy } from '~/lib/query'
import { useRequest } from '~/lib/request'
import { useCanRead } from '~/lib/session'

/** Returns these vehicles, without those that are deleted. */
export async function loadVehicles(ids: string[], signal: AbortSignal): Promise<Vehicle[]> {
  if (ids.length === 0) return []
  const filter = JSON.stringify([{ field: 'vehicle_id', op: 'in', value: ids }])
  return (await core.listRecords('vehicles', { page: 1, limit: ids.length, filter }, signal)).data
}

/** Returns the number of another agreement that is signed and has the vehicle. */
async function signedIn(vehicle_id: string, number: string, signal: AbortSignal) {
  const query = { page: 1, limit: 2, vehicle_id, filter: filterBy('state', 'Signed') }
  const { data } = await core.listRecords('agreements', query, signal)
  return data.find(other => other.number !== number)?.number
}

/** The vehicles of an agreement, and what its steps depend on. */
export type LegFacts = { vehicles: Vehicle[]; facts: LegVehicle[] }

async function load(
  { legs, number, state }: Agreement,
  signal: AbortSignal,
  onVehicles: (vehicles: Vehicle[]) => void,
): Promise<LegFacts> {
  const vehicles = await loadVehicles(
    legs.map(leg => leg.vehicle_id),
    signal,
  )
  onVehicles(vehicles)
  const facts = vehicles.map(async vehicle => {
    const { vehicle_id, name, status, vat_scheme, purchase_price } = vehicle
    const has_purchase_price = purchase_price !== undefined
    // Only signing an offer depends on it, and the delivery of a reserved vehicle.
    const isNeeded = state === 'Offered' || status === 'Reserved'
    const signed_in = isNeeded ? await signedIn(vehicle_id, number, signal) : undefined
    return { vehicle_id, name, status, vat_scheme, signed_in, has_purchase_price }
  })
  return { vehicles, facts: await Promise.all(facts) }
}

/**
 * What is assumed about vehicles that have not loaded or that the user may not read: they prevent no step. The server
 * decides.
 */
export const withoutVehicles = ({ legs }: Agreement): LegFacts => ({
  vehicles: [],
  facts: legs.map(({ vehicle_id, vat_scheme }) => ({ vehicle_id, name: '', status: 'Reserved', vat_scheme })),
})

/**
 * Returns the vehicles of an agreement, undefined until they have loaded. Each version of it loads them again, and so does a
 * change of a vehicle or of another agreement, which may have signed for one of them.
 */
export function useLegFacts(agreement: Agreement) {
  const mayRead = useCanRead('vehicles', paths.vehicles)
  // The vehicles are shown before what the steps depend on has loaded.
  const [vehicles, setVehicles] = useState<Vehicle[]>()
  const request = useMemo(
    () => (mayRead ? (signal: AbortSignal) => load(agreement, signal, setVehicles) : undefined),
    [mayRead, agreement],
  )
  const { outcome, latest, retry } = useRequest(request)
  const receive = useEffectEvent((event: LiveEvent) => {
    if (event.type === 'presence' || event.type === 'open') return
    const isOfLeg = (id: string) => agreement.legs.some(({ vehicle_id }) => vehicle_id === id)
    const concerns = (change: LiveChange) =>
      change.resource === 'agreements' ||
      (change.resource === 'vehicles' && (change.ids?.some(isOfLeg) ?? true))
    if (event.type === 'reload' || concerns(event)) retry()
  })
  useEffect(() => onLiveEvent(event => receive(event)), [])
  return {
    mayRead,
    /** The vehicles, which stay while they load again. */
    vehicles: mayRead ? vehicles : [],
    /** The vehicles with what the steps depend on. */
    loaded: mayRead ? latest : withoutVehicles(agreement),
    /** Whether the vehicles belong to this version of the agreement. */
    isCurrent: !mayRead || outcome?.ok === true,
    error: outcome?.ok === false ? outcome.error : undefined,
    retry,
  }
}

export type LegFactsState = ReturnType<typeof useLegFacts>

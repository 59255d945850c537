import type { Vehicle } from '~/core'
import { type CreateRequest, requestCreate } from '~/ui/createRequest'

// The vehicle of the next new agreement, and the request that opens its form.
let pending: (CreateRequest & { vehicle: Vehicle }) | undefined

/** Returns the navigation state that lets the list of agreements open the form of a new one with this vehicle. */
export function requestAgreement(vehicle: Vehicle): CreateRequest {
  const request = requestCreate()
  pending = { ...request, vehicle }
  return request
}

/** Returns the vehicle with which the agreement that a navigation state requests begins. Returns it only once. */
export function consumeVehicle(state: unknown): Vehicle | undefined {
  if (!pending || (state as Partial<CreateRequest> | null)?.createRequest !== pending.createRequest)
    return undefined
  const { vehicle } = pending
  pending = undefined
  return vehicle
}

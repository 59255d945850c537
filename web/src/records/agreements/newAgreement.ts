import type { Vehicle } from '~/core'
import { type CreateRequest, requestCreate } from '~/ui/createRequest'

// The vehicle of the next new agreement.
let pending: Vehicle | undefined

/** Returns the navigation state that lets the list of agreements open the form of a new one with this vehicle. */
export function requestAgreement(vehicle: Vehicle): CreateRequest {
  pending = vehicle
  return requestCreate()
}

/** Returns the vehicle with which a new agreement begins, and forgets it. */
export function consumeVehicle(): Vehicle | undefined {
  const vehicle = pending
  pending = undefined
  return vehicle
}

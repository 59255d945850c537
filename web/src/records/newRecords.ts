import type { CustomerSummary, Vehicle } from '~/core'
import { type CreateRequest, requestCreate } from '~/ui/createRequest'

/** Lets a page open the form of a new record on another page, with a record of its own in it. */
function newRecordWith<R>() {
  // The record of the next new one, and the request that opens its form.
  let pending: (CreateRequest & { record: R }) | undefined
  return {
    /** Returns the navigation state that lets the list open the form of a new record with this one. */
    request(record: R): CreateRequest {
      const request = requestCreate()
      pending = { ...request, record }
      return request
    },
    /** Returns the record with which the new one that a navigation state requests begins. Returns it only once. */
    consume(state: unknown): R | undefined {
      if (!pending || (state as Partial<CreateRequest> | null)?.createRequest !== pending.createRequest)
        return undefined
      const { record } = pending
      pending = undefined
      return record
    },
  }
}

/** An agreement that begins with a vehicle. */
export const newAgreement = newRecordWith<Vehicle>()

/** An invoice that begins with a customer. */
export const newInvoice = newRecordWith<CustomerSummary>()

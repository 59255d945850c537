import type { CustomerSummary, Vehicle } from '~/core'
import { type CreateRequest, requestCreate } from '~/ui/createRequest'

/** Opens the create form of another list, prefilled from a record. */
function newRecordWith<R>() {
  // The record that prefills the next form, and the request that opens that form.
  let pending: (CreateRequest & { record: R }) | undefined
  return {
    /** Returns the navigation state that lets the list open the form of a new record with this one. */
    request(record: R): CreateRequest {
      const request = requestCreate()
      pending = { ...request, record }
      return request
    },
    /** Returns the record that prefills the form; only once per request. */
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

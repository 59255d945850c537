import type { CustomerSummary, Records, Vehicle } from '~/core'
import { drafts } from '~/lib/drafts'
import { type CreateRequest, requestCreate } from '~/ui/createRequest'

/**
 * Returns the storage key of the draft of a new record that begins with another record, whose id this is; without an id,
 * the prefix of such keys.
 */
export const begunDraftOf = (resource: keyof Records, id = '') => `${resource} with ${id}`

/** How the form of a new record begins with another record: the storage key of its draft, and that record. */
export type Beginning<R> = { draft: string; record: R }

/** Opens the create form of another list, prefilled from a record. */
function newRecordWith<R>(resource: keyof Records, idOf: (record: R) => string) {
  const draftOf = (record: R) => begunDraftOf(resource, idOf(record))
  // The record that prefills the next form, and the request that opens that form.
  let pending: (CreateRequest & { record: R }) | undefined
  return {
    /** Returns the storage key of the draft of a form that this record prefills. */
    draftOf,
    /** Returns the navigation state that lets the list open the form of a new record with this one. */
    request(record: R): CreateRequest {
      const request = requestCreate()
      pending = { ...request, record }
      return request
    },
    /**
     * Returns how the form begins with a record, only once per request. Undefined for a form that opens with the draft of
     * an empty one (`emptyDraft`). If only a prefilled form has left a draft, it becomes that of the empty one, so that
     * another form that the same record prefills begins without it.
     */
    consume(state: unknown, emptyDraft: string): Beginning<R> | undefined {
      if (pending && (state as Partial<CreateRequest> | null)?.createRequest === pending.createRequest) {
        const { record } = pending
        // Not yet, because StrictMode calls this twice.
        queueMicrotask(() => {
          pending = undefined
        })
        return { draft: draftOf(record), record }
      }
      const begun = drafts.read(emptyDraft) ? undefined : drafts.find(begunDraftOf(resource))
      if (begun) drafts.move(begun, emptyDraft)
      return undefined
    },
  }
}

/** An agreement that begins with a vehicle. */
export const newAgreement = newRecordWith<Vehicle>('agreements', ({ vehicle_id }) => vehicle_id)

/** An invoice that begins with a customer. */
export const newInvoice = newRecordWith<CustomerSummary>('invoices', ({ customer_id }) => customer_id)

/** Navigation state that asks the target page to open its create dialog. */
export type CreateRequest = { createRequest: number }

// Each request is honoured once: Back and reload find the same state in history, and must not open the dialog again.
let pending: number | undefined

export function requestCreate(): CreateRequest {
  pending = Date.now()
  return { createRequest: pending }
}

/** Returns whether this navigation state asks for the create dialog, and marks the request as done. */
export function consumeCreateRequest(state: unknown): boolean {
  const isRequested =
    pending !== undefined && (state as Partial<CreateRequest> | null)?.createRequest === pending
  if (isRequested) pending = undefined
  return isRequested
}

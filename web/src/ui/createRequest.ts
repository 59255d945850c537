/** Navigation state that asks the target page to open its create dialog. */
export type CreateRequest = { createRequest: number }

// The request that hasn't opened a dialog yet. Back and reload find its state in history, but must not open it again.
let pending: number | undefined

export function requestCreate(): CreateRequest {
  pending = Date.now()
  return { createRequest: pending }
}

/** Returns whether a navigation state asks for the create dialog. True only once for each request. */
export function consumeCreateRequest(state: unknown): boolean {
  const isRequested =
    pending !== undefined && (state as Partial<CreateRequest> | null)?.createRequest === pending
  if (isRequested) pending = undefined
  return isRequested
}

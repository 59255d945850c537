/** Navigation state that asks the target page to open its create dialog. */
export type Begin = { begin: number }

// Each request is honoured once: Back and reload find the same state in history, and must not open the dialog again.
let wanted: number | undefined

export function toBegin(): Begin {
  wanted = Date.now()
  return { begin: wanted }
}

/** Returns whether this navigation state asks for the create dialog, and marks the request as done. */
export function isToBegin(state: unknown): boolean {
  const isWanted = wanted !== undefined && (state as Partial<Begin> | null)?.begin === wanted
  if (isWanted) wanted = undefined
  return isWanted
}

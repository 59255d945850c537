/** How one comes to a screen in order to begin something new there at once; it travels with the address. */
export type Begin = { begin: number }

// What is to be begun, once: not again by Back, nor by a reload, which find the same state in the address.
let wanted: number | undefined

export function toBegin(): Begin {
  wanted = Date.now()
  return { begin: wanted }
}

/** Was whoever comes with this state sent to begin? The first to ask begins. */
export function isToBegin(state: unknown): boolean {
  const isWanted = wanted !== undefined && (state as Partial<Begin> | null)?.begin === wanted
  if (isWanted) wanted = undefined
  return isWanted
}

export type Kind = 'success' | 'info' | 'warning' | 'error'
/** A toast message. `timeout` is in milliseconds. */
export type Saying = { id?: string; title?: string; description?: string; type: Kind; timeout?: number }

// Messages shown before the toaster was mounted, for example by the first page's loader.
const early: Saying[] = []
let show: ((saying: Saying) => void) | undefined
let fetchPlace: (() => void) | undefined

export function say(saying: Saying) {
  if (show) return show(saying)
  early.push(saying)
  fetchPlace?.()
}

/**
 * Registers the function that displays toasts and passes it the queued ones. Returns a function that unregisters it.
 */
export function showBy(shower: (saying: Saying) => void) {
  show = shower
  early.splice(0).forEach(shower)
  return () => {
    show = undefined
  }
}

/**
 * Registers the function that loads the toaster when the first message arrives. Returns a function that unregisters
 * it.
 */
export function fetchPlaceBy(fetcher: () => void) {
  fetchPlace = fetcher
  if (early.length > 0) fetcher()
  return () => {
    fetchPlace = undefined
  }
}

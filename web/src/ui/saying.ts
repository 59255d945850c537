export type Kind = 'success' | 'info' | 'warning' | 'error'
/** What a toast says, and for how many milliseconds. */
export type Saying = { id?: string; title?: string; description?: string; type: Kind; timeout?: number }

// What was said before there was a place to show it, such as by the loader of the first page.
const early: Saying[] = []
let show: ((saying: Saying) => void) | undefined
let fetchPlace: (() => void) | undefined

export function say(saying: Saying) {
  if (show) return show(saying)
  early.push(saying)
  fetchPlace?.()
}

/** Shows what has been said and what will be, until what this gives is called. */
export function showBy(shower: (saying: Saying) => void) {
  show = shower
  early.splice(0).forEach(shower)
  return () => {
    show = undefined
  }
}

/** Says how to get a place to show in, for the first who has something to say; until what this gives is called. */
export function fetchPlaceBy(fetcher: () => void) {
  fetchPlace = fetcher
  if (early.length > 0) fetcher()
  return () => {
    fetchPlace = undefined
  }
}

import { useEffect } from 'react'

// How many forms hold typed work, and what all waits for the last of them.
let forms = 0
let waiting: (() => void)[] = []

/** A form with typed work in it keeps the page from changing under it. */
export function useHeldWork(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return
    forms += 1
    return () => {
      forms -= 1
      if (forms > 0) return
      const work = waiting
      waiting = []
      for (const each of work) each()
    }
  }, [dirty])
}

/** Does it at once, or as soon as nobody holds typed work any more: it was saved, or thrown away on purpose. */
export function onceNothingIsHeld(work: () => void) {
  if (forms > 0) waiting.push(work)
  else work()
}

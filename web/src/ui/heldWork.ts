import { useEffect } from 'react'

// The number of forms with unsaved changes, and the callbacks that wait until there are none.
let forms = 0
let waiting: (() => void)[] = []

/** Marks the page as having unsaved changes while `dirty`, so that it isn't reloaded. */
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

/** Runs `work` now, or as soon as all unsaved changes have been saved or discarded. */
export function onceNothingIsHeld(work: () => void) {
  if (forms > 0) waiting.push(work)
  else work()
}

import { useEffect } from 'react'

// The number of forms with unsaved changes, and the functions that `runOnceSaved` calls when there are none any more.
let dirtyForms = 0
let waiting = new Set<() => void>()

/** Navigation state that discards unsaved changes without a question, because what they belong to was deleted. */
export type Discarding = { discardsChanges: true }

/** Marks the page as having unsaved changes while `dirty`, so that a new version of the app doesn't reload it. */
export function useUnsavedChanges(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return
    dirtyForms += 1
    return () => {
      dirtyForms -= 1
      if (dirtyForms > 0) return
      const work = waiting
      waiting = new Set()
      for (const each of work) each()
    }
  }, [dirty])
}

/** Returns whether the page has unsaved changes. */
export const hasUnsavedChanges = () => dirtyForms > 0

/** Runs `work` now, or as soon as all unsaved changes have been saved or discarded. */
export function runOnceSaved(work: () => void) {
  if (dirtyForms > 0) waiting.add(work)
  else work()
}

import { useSyncExternalStore } from 'react'

// The specification's mobile breakpoint.
const query = matchMedia('(width < 768px)')

const subscribe = (changed: () => void) => {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** Is the window as narrow as a phone? Rows become cards then. */
export const usePhone = () => useSyncExternalStore(subscribe, () => query.matches)

import { useSyncExternalStore } from 'react'

function whether(media: string) {
  const query = matchMedia(media)
  const subscribe = (changed: () => void) => {
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

/** Is the window as narrow as a phone (the specification's mobile breakpoint)? Rows become cards then. */
export const usePhone = whether('(width < 768px)')

/** Is it too narrow for a table of many columns? */
export const useTablet = whether('(width < 1024px)')

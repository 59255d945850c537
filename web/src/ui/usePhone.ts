import { useSyncExternalStore } from 'react'

function whether(media: string) {
  const query = matchMedia(media)
  const subscribe = (changed: () => void) => {
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

/** Returns whether the window is at phone width. Table rows become cards. */
export const usePhone = whether('(width < 768px)')

/** Returns whether the window is too narrow for a table with many columns. */
export const useTablet = whether('(width < 1024px)')

import { useSyncExternalStore } from 'react'

function createMediaHook(media: string) {
  const query = matchMedia(media)
  const subscribe = (changed: () => void) => {
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

/** Returns whether the window is at phone width, at which table rows become cards. */
export const usePhone = createMediaHook('(width < 768px)')

/** Returns whether the window is too narrow for a table with many columns. */
export const useTablet = createMediaHook('(width < 1024px)')

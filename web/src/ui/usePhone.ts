import { useSyncExternalStore } from 'react'

function createMediaHook(media: string) {
  const query = matchMedia(media)
  const subscribe = (changed: () => void) => {
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

/** Returns whether the window is narrower than 768 px, as on a phone, where tables become lists. */
export const usePhone = createMediaHook('(width < 768px)')

/** Returns whether the window is narrower than 1024 px, too narrow for a table of records. */
export const useTablet = createMediaHook('(width < 1024px)')

/** Returns whether the window is 1024 to 1279 px wide: a table has space only for its most important columns. */
export const useSmallDesktop = createMediaHook('(1024px <= width < 1280px)')

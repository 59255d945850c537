import { useSyncExternalStore } from 'react'

function createMediaHook(media: string) {
  const query = matchMedia(media)
  const subscribe = (changed: () => void) => {
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

// In rem, as Tailwind's breakpoints: with a larger font in the browser's settings, a window has space for less.

/** Returns whether the window is narrower than 48 rem (768 px), as on a phone, where tables become lists. */
export const usePhone = createMediaHook('(width < 48rem)')

/** Returns whether the window is narrower than 64 rem (1024 px), too narrow for a table of records. */
export const useTablet = createMediaHook('(width < 64rem)')

/**
 * Returns whether the window is 64 to 80 rem (1024 to 1279 px) wide: a table has space only for its most important
 * columns.
 */
export const useSmallDesktop = createMediaHook('(64rem <= width < 80rem)')

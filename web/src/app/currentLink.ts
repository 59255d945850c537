import type { MenuEntry } from '~/core'

/**
 * Returns a function that returns the `aria-current` value of a menu's link: 'page' for the current page, 'true' for
 * its closest parent. At most one of `entries` is marked.
 */
export function markAmong(entries: { route: string }[], pathname: string) {
  const [closest] = entries
    .map(({ route }) => route)
    .filter(route => pathname === route || pathname.startsWith(`${route}/`))
    .sort((one, other) => other.length - one.length)
  return (route: string) => (route !== closest ? undefined : route === pathname ? 'page' : 'true')
}

/** Returns the entries of a navigation that have a page: those without subresources, and all subresources. */
export const entriesWithPage = (entries: MenuEntry[]) =>
  entries.flatMap(entry => (entry.subresources.length > 0 ? entry.subresources : [entry]))

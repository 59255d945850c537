import type { MenuEntry } from '~/core'

/**
 * Returns a function that returns the `aria-current` value of a link in a menu: 'page' for the current page. If that
 * isn't in the menu, its closest parent page among `entries` gets 'true'. All other links get undefined.
 */
export function ariaCurrentFor(entries: { route: string }[], pathname: string) {
  const [closest] = entries
    .map(({ route }) => route)
    .filter(route => pathname === route || pathname.startsWith(`${route}/`))
    .sort((one, other) => other.length - one.length)
  return (route: string) => (route !== closest ? undefined : route === pathname ? 'page' : 'true')
}

/** Returns the navigation entries that link to a page: entries without subresources, and all subresources. */
export const entriesWithPage = (entries: MenuEntry[]) =>
  entries.flatMap(entry => (entry.subresources.length > 0 ? entry.subresources : [entry]))

/**
 * Returns the `aria-current` value of each link in a menu: 'page' for the current page, 'true' for its closest
 * parent. At most one link is marked.
 */
export function markAmong(routes: string[], pathname: string) {
  const [closest] = routes
    .filter(route => pathname === route || pathname.startsWith(`${route}/`))
    .sort((one, other) => other.length - one.length)
  return (route: string) => (route !== closest ? undefined : route === pathname ? 'page' : 'true')
}

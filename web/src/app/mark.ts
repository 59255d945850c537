/**
 * Marks the link, among those of a menu, that leads to where one is: `page` if it is this very page, `true` if the page
 * lies below it. The closest one is meant, so at most one is marked.
 */
export function markAmong(routes: string[], pathname: string) {
  const [closest] = routes
    .filter(route => pathname === route || pathname.startsWith(`${route}/`))
    .sort((one, other) => other.length - one.length)
  return (route: string) => (route !== closest ? undefined : route === pathname ? 'page' : 'true')
}

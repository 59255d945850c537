/** Focuses the page's heading, or `main` if it has none. */
export function focusPageHeading(main = document.querySelector<HTMLElement>('main')) {
  const heading = main?.querySelector('h1') ?? main
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/**
 * The ref of a page's bar of buttons that sticks to the bottom of the window. While the bar is there, `--bar-height` is
 * its height, for bars.css.
 */
export function bottomBar(bar: HTMLElement | null) {
  if (!bar) return undefined
  const { style } = document.documentElement
  const measure = () => style.setProperty('--bar-height', `${bar.offsetHeight}px`)
  measure()
  const observer = new ResizeObserver(measure)
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--bar-height')
  }
}

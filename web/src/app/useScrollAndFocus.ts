import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useMatches, useNavigationType } from 'react-router'
import { DIALOG } from '~/lib/paths'
import { focusPageHeading } from '~/ui/pageHeading'

const STORAGE_KEY = 'scroll'

/**
 * Returns the stored scroll positions by history entry, including those from before a reload. `entry` is the first
 * entry of this load of the page. If its address was typed or followed from elsewhere, it is a new page, although an
 * earlier entry of the tab with the same address has the same id.
 */
function readPositions(entry: string): Record<string, number> {
  const positions = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
  const [load] = performance.getEntriesByType('navigation')
  if ((load as PerformanceNavigationTiming | undefined)?.type === 'navigate') delete positions[entry]
  return positions
}

/**
 * A scroll position is being restored, so the current one isn't recorded: the page may still be shorter than before.
 */
let isRestoring = false

/** Returns whether an open dialog or menu locks scrolling. Some browsers report a wrong scroll position meanwhile. */
const isLocked = () => document.documentElement.hasAttribute('data-base-ui-scroll-locked')

/** Scrolls up to the top of the list, unless that is in view. */
function showListTop() {
  const list = document.querySelector('[data-pagination]')?.closest('section')
  // The page's `scroll-padding` leaves space for the top bar.
  if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ behavior: 'instant' })
}

/**
 * Scrolls to `top`, and again whenever the page changes its height, until the user acts. Returns a function that stops
 * it.
 */
function keepScrolledTo(top: number) {
  const scroll = () => scrollTo({ top, behavior: 'instant' })
  const observer = new ResizeObserver(scroll)
  const events = ['wheel', 'touchmove', 'pointerdown', 'keydown']
  const stop = () => {
    observer.disconnect()
    for (const event of events) removeEventListener(event, stop, { capture: true })
    isRestoring = false
  }
  for (const event of events) addEventListener(event, stop, { capture: true, passive: true })
  observer.observe(document.body)
  isRestoring = true
  scroll()
  return stop
}

/** A link of a page: its address, and its index among the page's links to that address. */
type PageLink = { href: string | null; index: number }

const linksTo = (main: HTMLElement, href: string | null) =>
  [...main.querySelectorAll('a')].filter(link => link.getAttribute('href') === href)

/** Returns how to find this element when its page opens again; undefined if it is no link of the page. */
function pageLinkOf(main: HTMLElement | null, element: EventTarget | null): PageLink | undefined {
  if (!(element instanceof HTMLAnchorElement) || !main?.contains(element)) return
  const href = element.getAttribute('href')
  return { href, index: linksTo(main, href).indexOf(element) }
}

/**
 * Focuses the link by which the user left the page. Without one, and until it is shown, focuses the page's
 * heading. Does so again if data that arrives replaces the focused element, until something else gets the
 * focus, such as a field of a dialog. Returns a function that stops this.
 */
function focusPage(main: HTMLElement, left: PageLink | undefined) {
  const focus = () => {
    const links = left ? linksTo(main, left.href) : []
    const link = left && (links[left.index] ?? links[0])
    if (link) link.focus({ preventScroll: true })
    else focusPageHeading(main)
  }
  const isHeading = (element: EventTarget | null) => (element as Element | null)?.tagName === 'H1'
  const observer = new MutationObserver(() => {
    const { activeElement } = document
    const isProvisional = left !== undefined && isHeading(activeElement)
    if (activeElement === document.body || activeElement === main || isProvisional) focus()
  })
  const stop = () => {
    observer.disconnect()
    removeEventListener('focusin', onFocus)
  }
  // The observer can't find out by itself: while the focus moves, it sees that nothing has the focus.
  const onFocus = ({ target }: FocusEvent) => {
    const isLink = left !== undefined && pageLinkOf(main, target)?.href === left.href
    if (target !== main && !isHeading(target) && !isLink) stop()
  }
  observer.observe(main, { childList: true, subtree: true })
  addEventListener('focusin', onFocus)
  focus()
  return stop
}

/**
 * Scrolls a new page to the top and focuses its heading, restores the scroll position on Back, Forward and
 * reload, on Back and Forward also the focus of the link by which the page was left, and scrolls to the top
 * of a list when its page number changes. A dialog with a URL isn't a new page. Returns the ref of the page's
 * `main` element.
 */
export function useScrollAndFocus() {
  const main = useRef<HTMLElement>(null)
  const location = useLocation()
  const action = useNavigationType()
  const page = useMatches().findLast(({ handle }) => handle !== DIALOG)?.pathname
  const { key, pathname, search } = location
  // The id of the history entry includes the URL, because the first entry after each load of the page has the key
  // "default".
  const now = { entry: `${key} ${pathname}${search}`, page, number: new URLSearchParams(search).get('page') }
  const [positions] = useState(() => readPositions(now.entry))
  // The links by which pages were left, by history entry.
  const links = useRef<Record<string, PageLink | undefined>>({})
  // The link that has had the focus last; undefined if it was something else.
  const focused = useRef<PageLink>(undefined)
  const latest = useRef(now)
  const before = useRef<typeof now>(undefined)

  useLayoutEffect(() => {
    latest.current = now
  })
  // A layout effect, so that from the first paint of the new page the scroll position is recorded for its history
  // entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per history entry.
  useLayoutEffect(() => {
    const { entry, page, number } = latest.current
    const left = positions[entry]
    // The page with which the app has loaded is at the top. To scroll it, or to read its position, would cost a layout.
    const isFirst = key === 'default' && !before.current
    let stop = () => {}
    if (action === 'POP' && left) stop = keepScrolledTo(left)
    else if (before.current?.page !== page && !isFirst) scrollTo({ top: 0, behavior: 'instant' })
    else if (action !== 'POP' && before.current?.number !== number) showListTop()
    if (!isRestoring) positions[entry] = isFirst ? 0 : scrollY
    return () => {
      before.current = latest.current
      links.current[latest.current.entry] = focused.current
      stop()
    }
  }, [key])

  // The page with which the app has loaded leaves the focus where it is. The first one after signing in takes it.
  const shown = useRef(action === 'POP' ? page : undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page.
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    const left = action === 'POP' ? links.current[latest.current.entry] : undefined
    return main.current ? focusPage(main.current, left) : undefined
  }, [page])

  useEffect(() => {
    const { scrollRestoration } = history
    history.scrollRestoration = 'manual'
    const rememberPosition = () => {
      if (!isRestoring && !isLocked()) positions[latest.current.entry] = scrollY
    }
    const rememberLink = ({ target }: FocusEvent) => {
      focused.current = pageLinkOf(main.current, target)
    }
    const storePositions = () => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(positions))
    addEventListener('scroll', rememberPosition, { passive: true })
    addEventListener('focusin', rememberLink)
    addEventListener('pagehide', storePositions)
    return () => {
      storePositions()
      history.scrollRestoration = scrollRestoration
      removeEventListener('scroll', rememberPosition)
      removeEventListener('focusin', rememberLink)
      removeEventListener('pagehide', storePositions)
    }
  }, [positions])
  return main
}

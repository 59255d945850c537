import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useMatches, useNavigationType } from 'react-router'
import { DIALOG } from '~/lib/paths'

const KEPT = 'scroll'

/** Reads how far down each history entry was when it was left, also before a reload. */
const readPositions = (): Record<string, number> => JSON.parse(sessionStorage.getItem(KEPT) ?? '{}')

/** Is a position being restored? Until then the page is shorter than it was. */
let isHeld = false

/** The top bar covers this much of the page, with a little room below it. */
const COVERED_PX = 80

/** An open dialog or menu locks the page, and some browsers report another position meanwhile. */
const isLocked = () => document.documentElement.hasAttribute('data-base-ui-scroll-locked')

/** Scrolls to the beginning of the list, unless that is in view. */
function showListTop() {
  const list = document.querySelector('[data-pagination]')?.closest('section')
  const top = list?.getBoundingClientRect().top ?? 0
  if (top < 0) scrollBy({ top: top - COVERED_PX, behavior: 'instant' })
}

/** Scrolls this far down, and again whenever the page has grown, until the user acts. Returns how to stop. */
function hold(top: number) {
  const scroll = () => scrollTo({ top, behavior: 'instant' })
  const observer = new ResizeObserver(scroll)
  const acts = ['wheel', 'touchmove', 'pointerdown', 'keydown']
  const stop = () => {
    observer.disconnect()
    for (const act of acts) removeEventListener(act, stop, { capture: true })
    isHeld = false
  }
  for (const act of acts) addEventListener(act, stop, { capture: true, passive: true })
  observer.observe(document.body)
  isHeld = true
  scroll()
  return stop
}

/** Focuses the heading, and the one that replaces it once the page has its data. Returns how to stop. */
function focusHeading(main: HTMLElement) {
  const focus = () => {
    const heading = main.querySelector('h1') ?? main
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    const { activeElement } = document
    if (activeElement === document.body || activeElement === main) focus()
    else if (activeElement?.tagName !== 'H1') observer.disconnect()
  })
  observer.observe(main, { childList: true, subtree: true })
  focus()
  return () => observer.disconnect()
}

/**
 * Starts a new page at its top with the focus on its heading, restores the scroll position on Back, Forward and reload,
 * and shows the top of a list when its page changes. A dialog with an address of its own is no new page. Returns the ref
 * of the page's `main`.
 */
export function useArrival() {
  const main = useRef<HTMLElement>(null)
  const [positions] = useState(readPositions)
  const location = useLocation()
  const action = useNavigationType()
  const page = useMatches().findLast(({ handle }) => handle !== DIALOG)?.pathname
  const { key, pathname, search } = location
  // Every document calls its first entry "default", so the address tells them apart.
  const now = { entry: `${key} ${pathname}${search}`, page, number: new URLSearchParams(search).get('page') }
  const latest = useRef(now)
  const before = useRef<typeof now>(undefined)

  useLayoutEffect(() => {
    latest.current = now
  })
  // In the same commit as the new page: from here on the scroll position is the new entry's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new entry is the occasion.
  useLayoutEffect(() => {
    const { entry, page, number } = latest.current
    const left = positions[entry]
    let stop = () => {}
    if (action === 'POP' && left) stop = hold(left)
    else if (before.current?.page !== page) scrollTo({ top: 0, behavior: 'instant' })
    else if (action !== 'POP' && before.current?.number !== number) showListTop()
    if (!isHeld) positions[entry] = scrollY
    return () => {
      before.current = latest.current
      stop()
    }
  }, [key])

  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    return main.current ? focusHeading(main.current) : undefined
  }, [page])

  useEffect(() => {
    const { scrollRestoration } = history
    history.scrollRestoration = 'manual'
    const note = () => {
      if (!isHeld && !isLocked()) positions[latest.current.entry] = scrollY
    }
    const keep = () => sessionStorage.setItem(KEPT, JSON.stringify(positions))
    addEventListener('scroll', note, { passive: true })
    addEventListener('pagehide', keep)
    return () => {
      keep()
      history.scrollRestoration = scrollRestoration
      removeEventListener('scroll', note)
      removeEventListener('pagehide', keep)
    }
  }, [positions])
  return main
}

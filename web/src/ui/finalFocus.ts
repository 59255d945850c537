import { useCallback, useRef } from 'react'
import { focusPageHeading } from './pageHeading'

const POPUP = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** What gets the focus when a dialog closes, by the dialog's popup: the first element that still can. */
const openers = new WeakMap<Element, HTMLElement[]>()

let lastFocused: EventTarget | null = null
document.addEventListener('focusin', ({ target }) => {
  lastFocused = target
})

/** Returns the element and, if it is in a dialog or a menu, that and what has opened it. */
function withOpeners(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement)) return []
  const popup = element.closest<HTMLElement>(POPUP)
  if (!popup) return [element]
  const menuButton = popup.matches('[role="menu"]') && popup.getAttribute('aria-labelledby')
  const outer = menuButton ? withOpeners(document.getElementById(menuButton)) : openers.get(popup)
  return [element, popup, ...(outer ?? [])]
}

function findOpeners(): HTMLElement[] {
  const { activeElement, body } = document
  if (activeElement !== body) return withOpeners(activeElement)
  // Nothing has the focus after a click beside a dialog that asks before it closes, and while this dialog
  // replaces another one or a menu.
  return lastFocused instanceof Element && lastFocused.closest(POPUP) ? withOpeners(lastFocused) : []
}

/** Focuses the page's heading if the element that had the focus has disappeared. */
export function rescueFocus() {
  const isRemoved = lastFocused instanceof Element && !lastFocused.isConnected
  if (isRemoved && document.activeElement === document.body) focusPageHeading()
}

/**
 * Returns props for a dialog's popup. When it closes, its opener gets the focus, or the page's heading if the
 * opener has disappeared. Base UI itself would focus the opener of an earlier dialog instead.
 */
export function useFinalFocus() {
  const popup = useRef<HTMLElement>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return
    popup.current = element
    if (!openers.has(element)) openers.set(element, findOpeners())
  }, [])
  const finalFocus = (closedWith: string) => {
    const candidates = (popup.current && openers.get(popup.current)) ?? []
    const focusVisible = closedWith === 'keyboard' || undefined
    // A microtask, because React may be about to remove the opener together with the dialog.
    queueMicrotask(() => {
      const isLost = () => document.activeElement === document.body
      for (const candidate of candidates) {
        if (isLost()) candidate.focus({ preventScroll: true, focusVisible })
      }
      if (isLost()) focusPageHeading()
    })
    // Base UI doesn't move the focus.
    return false
  }
  return { ref, finalFocus }
}

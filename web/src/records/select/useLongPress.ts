import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const LONG_MS = 500
/** A pointer that moves more than this many pixels scrolls the page, so it is no long press. */
const TOLERANCE = 10

/**
 * Returns event handlers for an element, which call `act` when the element is pressed for half a second. The element
 * needs the class `long-press`, so that the browser does nothing of its own on a long press.
 */
export function useLongPress(act: (() => void) | undefined) {
  // Undefined unless the element is pressed now, and not for long enough yet.
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const start = useRef({ x: 0, y: 0, isTouch: false })
  const wasLong = useRef(false)
  const stop = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const finish = () => {
    stop()
    wasLong.current = true
    suppressClick()
    act?.()
  }
  return {
    onPointerDown: ({ clientX: x, clientY: y, button, pointerType }: PointerEvent) => {
      stop()
      wasLong.current = false
      if (!act || button !== 0) return
      start.current = { x, y, isTouch: pointerType === 'touch' }
      timer.current = setTimeout(finish, LONG_MS)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > TOLERANCE) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    // After a long press, the context menu that follows it is suppressed.
    onContextMenu: (event: MouseEvent) => {
      // Android opens the menu of a link after its own delay, which may be shorter.
      if (timer.current !== undefined && start.current.isTouch) finish()
      if (wasLong.current) event.preventDefault()
    },
  }
}

/**
 * Suppresses the click that follows a press when the pointer is released. It may hit another element, which has appeared
 * under the finger.
 */
function suppressClick() {
  const end = () => {
    window.removeEventListener('click', suppress, true)
    window.removeEventListener('pointerdown', end, true)
    window.removeEventListener('keydown', end, true)
  }
  const suppress = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    end()
  }
  window.addEventListener('click', suppress, true)
  window.addEventListener('pointerdown', end, true)
  // The key may be the one that clicks a button.
  window.addEventListener('keydown', end, true)
}

import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const LONG_MS = 500
/** A pointer that moves more than this many pixels scrolls the page, so it is no long press. */
const TOLERANCE = 10

/** Returns event handlers for an element, which call `act` when the element is pressed for half a second. */
export function useLongPress(act: (() => void) | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const start = useRef({ x: 0, y: 0 })
  const wasLong = useRef(false)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown: ({ clientX: x, clientY: y, button }: PointerEvent) => {
      stop()
      wasLong.current = false
      if (!act || button !== 0) return
      start.current = { x, y }
      timer.current = setTimeout(() => {
        wasLong.current = true
        act()
      }, LONG_MS)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > TOLERANCE) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    // After a long press, the click and the context menu that follow it are suppressed.
    onClickCapture: (event: MouseEvent) => {
      if (!wasLong.current) return
      wasLong.current = false
      event.preventDefault()
      event.stopPropagation()
    },
    onContextMenu: (event: MouseEvent) => {
      if (wasLong.current) event.preventDefault()
    },
  }
}

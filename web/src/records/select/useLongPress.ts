import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const LONG_MS = 500
/** A pointer that moves further scrolls the page. */
const TOLERANCE = 10

/** Returns the handlers of an element that calls `act` when it is pressed for half a second. */
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
    // The press has acted already, so it opens neither a link nor the browser's menu.
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

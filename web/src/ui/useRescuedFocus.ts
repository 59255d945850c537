import { useEffect, useEffectEvent, useRef } from 'react'

/** Once something is no longer shown, and the focus has disappeared with it, moves the focus elsewhere. */
export function useRescuedFocus(isShown: boolean, focusOther: () => void) {
  const wasShown = useRef(false)
  const rescue = useEffectEvent(focusOther)
  useEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body) rescue()
    wasShown.current = isShown
  }, [isShown])
}

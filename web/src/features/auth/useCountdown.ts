import { useCallback, useEffect, useState } from 'react'

/** Returns the seconds that are left of a countdown, and `restart`. A suspended tab doesn't delay the countdown. */
export function useCountdown(seconds: number) {
  const [end, setEnd] = useState(() => Date.now() + seconds * 1000)
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [end])
  const restart = useCallback(() => setEnd(Date.now() + seconds * 1000), [seconds])
  return { left, restart }
}

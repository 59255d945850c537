import { useEffect, useState } from 'react'

/** Milliseconds without a change until a value counts: longer than most pauses between two key presses. */
const DELAY_MS = 800

/** Returns the last value that has stayed the same for a moment; at first, the given one. */
export function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}

import { useState } from 'react'

/**
 * Returns the value of the attribute `data-settling` of an element whose height is not known while its content loads
 * (`settles` in app.css): set until the first load has ended, and not during later ones.
 */
export function useSettling(isLoading: boolean): '' | undefined {
  const [hasSettled, setSettled] = useState(!isLoading)
  if (!isLoading && !hasSettled) setSettled(true)
  return hasSettled ? undefined : ''
}

import { useEffect, useState } from 'react'
import { type Core, core, loadCore } from '~/core'

/** The rules as soon as they are there, for the page that is drawn without waiting for them. */
export function useCore(): Core | undefined {
  const [loaded, setLoaded] = useState<Core | undefined>(core)
  useEffect(() => {
    // Whoever needs them for more asks again, and says so when they can't be had.
    loadCore().then(setLoaded, () => undefined)
  }, [])
  return loaded
}

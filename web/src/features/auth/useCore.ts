import { useEffect, useState } from 'react'
import { type Core, core, loadCore } from '~/core'

/** Returns core once it has loaded, for the page that renders without waiting for it. */
export function useCore(): Core | undefined {
  const [loaded, setLoaded] = useState<Core | undefined>(core)
  useEffect(() => {
    // Callers that need core load it again and report a failure.
    loadCore().then(setLoaded, () => undefined)
  }, [])
  return loaded
}

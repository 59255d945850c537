import { useEffect, useState } from 'react'
import { type Core, core, loadCore } from '~/core'

/** Returns core; undefined until it has loaded. For the login page, which renders before that. */
export function useCore(): Core | undefined {
  const [loaded, setLoaded] = useState<Core | undefined>(core)
  useEffect(() => {
    // A failure is ignored here. Code that needs core calls `loadCore` again, and reports its failure.
    loadCore().then(setLoaded, () => undefined)
  }, [])
  return loaded
}

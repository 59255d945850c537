import { t } from '@lingui/core/macro'
import { ArrowUpCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { registerServiceWorker, useWaitingVersion } from '~/lib/version'
import { Button } from '~/ui/Button'
import { Strip } from '~/ui/Strip'
import { runOnceSaved } from '~/ui/unsavedChanges'

/** Maximum milliseconds to wait until the browser is idle before the service worker is registered. */
const IDLE_MS = 10_000

/** Registers the service worker, and offers to update the app. The page reloads only when it has no unsaved changes. */
export function NewVersion() {
  const update = useWaitingVersion()
  const [isUpdating, setIsUpdating] = useState(false)
  useEffect(() => {
    const register = () =>
      registerServiceWorker(() => {
        setIsUpdating(true)
        runOnceSaved(() => location.reload())
      })
    // Registered only when the browser is idle, so that the first page loads its own files first.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(register, IDLE_MS)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(register, { timeout: IDLE_MS })
    return () => cancelIdleCallback(idle)
  }, [])
  return (
    <div role="status" className="print:hidden">
      {isUpdating ? (
        <Strip icon={<ArrowUpCircle />}>
          {t`The app will update when you save or discard your changes.`}
        </Strip>
      ) : (
        update && (
          <Strip icon={<ArrowUpCircle />} action={<Button onClick={update}>{t`Update`}</Button>}>
            {t`A new version is available.`}
          </Strip>
        )
      )}
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { ArrowUpCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { registerServiceWorker, useWaitingVersion } from '~/lib/version'
import { Button } from '~/ui/Button'
import { Strip } from '~/ui/Strip'
import { runOnceSaved } from '~/ui/unsavedChanges'

/** Upper bound of the wait for an idle browser. */
const IDLE_MS = 10_000

/** Registers the service worker and offers new versions. The page reloads only when it has no unsaved changes. */
export function NewVersion() {
  const take = useWaitingVersion()
  const [isTaken, setIsTaken] = useState(false)
  useEffect(() => {
    const begin = () =>
      registerServiceWorker(() => {
        setIsTaken(true)
        runOnceSaved(() => location.reload())
      })
    // After the first page has loaded its own resources.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(begin, IDLE_MS)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(begin, { timeout: IDLE_MS })
    return () => cancelIdleCallback(idle)
  }, [])
  return (
    <div role="status" className="print:hidden">
      {isTaken ? (
        <Strip icon={<ArrowUpCircle />}>
          {t`The app will update when you save or discard your changes.`}
        </Strip>
      ) : (
        take && (
          <Strip icon={<ArrowUpCircle />} action={<Button onClick={take}>{t`Update`}</Button>}>
            {t`A new version is available.`}
          </Strip>
        )
      )}
    </div>
  )
}

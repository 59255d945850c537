import { t } from '@lingui/core/macro'
import { Cloud, CloudOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useIsConnected } from '~/lib/connection'
import { paths } from '~/lib/paths'
import { useRenewSession, useSession } from '~/lib/session'
import { Strip } from '~/ui/Strip'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { mayCreate } from './useCreate'

/** How long the bar shows "You're back online.", in milliseconds. */
const BACK_MS = 6_000

/**
 * The bar in the header that says that the server is unreachable, and later that it is reachable again. It then reloads
 * the page's data, as soon as there are no unsaved changes.
 */
export function OfflineBar() {
  const isConnected = useIsConnected()
  const wasConnected = useRef(isConnected)
  const [isBack, setIsBack] = useState(false)
  const renew = useRenewSession()
  const { resources } = useSession()
  useEffect(() => {
    const hasChanged = wasConnected.current !== isConnected
    wasConnected.current = isConnected
    setIsBack(hasChanged && isConnected)
    if (!hasChanged || !isConnected) return
    runOnceSaved(() => void renew())
    const timer = setTimeout(() => setIsBack(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [isConnected, renew])
  return (
    // The live region is always rendered, because screen readers announce only texts that are added to an existing one.
    <div role="status" className="offline-bar not-empty:-mb-px">
      {!isConnected && (
        <Strip icon={<CloudOff />}>
          <span className="font-medium">{t`You're offline.`}</span>{' '}
          {mayCreate(resources, paths.contacts) && t`You can still check files for import.`}{' '}
          {t`What you type is saved on this device.`}
        </Strip>
      )}
      {isBack && <Strip icon={<Cloud />}>{t`You're back online.`}</Strip>}
    </div>
  )
}

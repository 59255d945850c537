import { t } from '@lingui/core/macro'
import { Cloud, CloudOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useIsConnected } from '~/lib/connection'
import { useRenewSession } from '~/lib/session'
import { onceNothingIsHeld } from '~/ui/heldWork'
import { Strip } from '~/ui/Strip'

/** How long it is said that the connection is back. */
const BACK_MS = 6_000

/** Says that the server can't be reached, and that it can be again; then the page comes anew, unless somebody is typing. */
export function OfflineBar() {
  const isConnected = useIsConnected()
  const wasConnected = useRef(isConnected)
  const [isBack, setIsBack] = useState(false)
  const renew = useRenewSession()
  useEffect(() => {
    const isNews = wasConnected.current !== isConnected
    wasConnected.current = isConnected
    setIsBack(isNews && isConnected)
    if (!isNews || !isConnected) return
    onceNothingIsHeld(() => void renew())
    const timer = setTimeout(() => setIsBack(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [isConnected, renew])
  return (
    // It is there before its words are, so that they are read out.
    <div role="status" className="print:hidden">
      {!isConnected && (
        <Strip icon={<CloudOff />}>
          <span className="font-medium">{t`You're offline.`}</span>{' '}
          {t`You can still check files for import. What you type is saved on this device.`}
        </Strip>
      )}
      {isBack && <Strip icon={<Cloud />}>{t`You're back online.`}</Strip>}
    </div>
  )
}

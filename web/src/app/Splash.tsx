import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { site } from '~/lib/site'
import { Brand } from '~/ui/Brand'
import { Button } from '~/ui/Button'

/** How long the first page usually takes at most, in milliseconds, even on a slow connection. */
const SLOW_MS = 12_000

/** The product's brand, shown while the first page loads. If that takes too long, there is also a button to reload. */
export function Splash() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="grid min-h-dvh place-items-center">
      <div className="relative">
        <div role="status" className="animate-pulse motion-reduce:animate-none">
          <Brand name={site.brand} />
          <span className="sr-only">{t`is loading`}</span>
        </div>
        {/* Below the brand, which stays in its place. */}
        {isSlow && (
          <div className="absolute top-full left-1/2 mt-6 grid w-72 -translate-x-1/2 justify-items-center gap-4 text-center">
            <p role="status" className="text-muted">
              {t`This takes longer than usual. Check your connection, then reload the page.`}
            </p>
            <Button onClick={() => location.reload()}>{t`Reload`}</Button>
          </div>
        )}
      </div>
    </div>
  )
}

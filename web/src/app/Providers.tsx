import { CSPProvider } from '@base-ui/react/csp-provider'
import { type ReactNode, useEffect, useState } from 'react'
import { onReconnect } from '~/lib/connection'
import { ImageAttempt } from '~/ui/ImageWithFallback'
import { Toasts } from '~/ui/Toasts'

export function Providers({ children }: { children: ReactNode }) {
  const [imageAttempt, setImageAttempt] = useState(0)
  useEffect(() => {
    const unsubscribe = onReconnect(() => setImageAttempt(attempt => attempt + 1))
    return () => void unsubscribe()
  }, [])
  return (
    <CSPProvider disableStyleElements>
      <ImageAttempt value={imageAttempt}>{children}</ImageAttempt>
      <Toasts />
    </CSPProvider>
  )
}

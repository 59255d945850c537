import { CSPProvider } from '@base-ui/react/csp-provider'
import { type ReactNode, useEffect, useState } from 'react'
import { onReconnect } from '~/lib/connection'
import { ImageAttempt } from '~/ui/ImageWithFallback'
import { Toasts } from '~/ui/Toasts'

export function Providers({ children }: { children: ReactNode }) {
  const [imageAttempt, setImageAttempt] = useState(0)
  useEffect(() => onReconnect(() => setImageAttempt(attempt => attempt + 1)), [])
  return (
    <CSPProvider disableStyleElements>
      <ImageAttempt value={imageAttempt}>{children}</ImageAttempt>
      <Toasts />
    </CSPProvider>
  )
}

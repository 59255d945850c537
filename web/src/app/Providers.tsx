import { CSPProvider } from '@base-ui/react/csp-provider'
import type { ReactNode } from 'react'
import { Toasts } from '~/ui/Toasts'

export function Providers({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      {children}
      <Toasts />
    </CSPProvider>
  )
}

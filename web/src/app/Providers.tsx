import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'
import { Toasts } from '~/ui/Toasts'

/** What every part of the screen stands in. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <Tooltip.Provider delay={400}>
        <Toasts>{children}</Toasts>
      </Tooltip.Provider>
    </CSPProvider>
  )
}

import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePhone } from '~/ui/usePhone'

/**
 * The margin of an agreement (`children`, which may render nothing). On a phone, whose screen the customer may see, it is
 * closed whenever the page opens.
 */
export function MarginDetails({ children }: { children: ReactNode }) {
  const phone = usePhone()
  if (!phone) return children
  return (
    <details className="group border-t border-line not-has-[>:not(summary)]:hidden print:hidden">
      <summary className="flex min-h-touch items-center justify-between gap-3 px-5 font-medium [&::-webkit-details-marker]:hidden">
        {t`Margin of this agreement`}
        <ChevronDown aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      {children}
    </details>
  )
}

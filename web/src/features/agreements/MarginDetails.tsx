import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { storedValue } from '~/lib/storedValue'
import { usePhone } from '~/ui/usePhone'

const openOnDevice = storedValue<boolean>('localStorage', 'marginOpen')

/**
 * The margin of an agreement (`children`, which may render nothing). On a phone, whose screen the customer may see, it is
 * closed at first; the device remembers whether the user has opened it.
 */
export function MarginDetails({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(() => openOnDevice.read() ?? false)
  const phone = usePhone()
  if (!phone) return children
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open)
        openOnDevice.save(open)
      }}
      className="group border-t border-line not-has-[>:not(summary)]:hidden print:hidden"
    >
      <summary className="flex min-h-touch items-center justify-between gap-3 px-5 font-medium [&::-webkit-details-marker]:hidden">
        {t`Margin of this agreement`}
        <ChevronDown aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      {children}
    </details>
  )
}

import { Dialog } from '@base-ui/react/dialog'
import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHistoryEntry } from './dialogHistory'
import { useFinalFocus } from './finalFocus'
import { iconButtonClass } from './iconButtonClass'

type Props = {
  open: boolean
  title: string
  /** Called on Escape, Back, a click on the backdrop, and the close button. */
  onClose: () => void
  /** Remounted each time the panel opens. */
  children: ReactNode
}

/** A modal side panel that keeps the focus inside, and returns it on close. Full screen on a phone. */
export function Panel({ open, title, onClose, children }: Props) {
  useHistoryEntry(open, onClose)
  const focus = useFinalFocus()
  return (
    <Dialog.Root open={open} onOpenChange={next => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          {...focus}
          className="fixed inset-y-0 right-0 z-40 flex w-full flex-col overflow-y-auto border-line bg-raised text-ink shadow-float outline-none transition-[translate] duration-200 data-ending-style:translate-x-full data-starting-style:translate-x-full md:max-w-sm md:border-l"
        >
          <div className="flex h-16 shrink-0 items-center justify-between gap-2 border-b border-line pr-3 pl-5">
            <Dialog.Title className="text-lg leading-6 font-semibold tracking-tight">{title}</Dialog.Title>
            <Dialog.Close aria-label={t`Close panel`} className={iconButtonClass}>
              <X aria-hidden className="size-4.5" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

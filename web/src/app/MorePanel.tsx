import { Dialog } from '@base-ui/react/dialog'
import { t } from '@lingui/core/macro'
import { Ellipsis, X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useLocation } from 'react-router'
import type { Navigation } from '~/core'
import { CorporationBrand } from '~/ui/Brand'
import { useHistoryEntry } from '~/ui/dialogHistory'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { ariaCurrentFor, entriesWithPage } from './currentLink'
import { PhoneLinks } from './PhoneLinks'

type Props = {
  brand: ComponentProps<typeof CorporationBrand>
  navigation: Pick<Navigation, 'main' | 'profile'>
  /** The current page is in the panel, but in no tab. */
  isCurrent: boolean
  className: string
}

/** The last tab of the tab bar, which opens a panel with all links. */
export function MorePanel({ brand, navigation: { main, profile }, isCurrent, className }: Props) {
  const [open, setOpen] = useState(false)
  useHistoryEntry(open, () => setOpen(false))
  const { pathname } = useLocation()
  const groups = [
    { label: t`Main`, entries: main },
    { label: t`Administration`, entries: profile },
  ].filter(group => group.entries.length > 0)
  const markOf = ariaCurrentFor(entriesWithPage([...main, ...profile]), pathname)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger aria-current={isCurrent || undefined} className={className}>
        <Ellipsis aria-hidden className="size-5.5" />
        {t`More`}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 right-0 z-40 flex w-72 max-w-[calc(100vw-3rem)] flex-col overflow-y-auto border-l border-line bg-raised pb-[env(safe-area-inset-bottom)] text-ink shadow-float outline-none transition-[translate] duration-200 data-ending-style:translate-x-full data-starting-style:translate-x-full">
          <div className="flex h-14 shrink-0 items-center justify-between gap-2 border-b border-line px-4">
            <Dialog.Title render={<div />} className="min-w-0 font-normal">
              <span className="sr-only">{t`Navigation of`} </span>
              <CorporationBrand {...brand} />
            </Dialog.Title>
            <Dialog.Close aria-label={t`Close navigation`} className={iconButtonClass}>
              <X aria-hidden className="size-5" />
            </Dialog.Close>
          </div>
          {groups.map(group => (
            <nav
              key={group.label}
              aria-label={group.label}
              className="border-b border-line p-2 last:border-b-0"
            >
              <PhoneLinks entries={group.entries} markOf={markOf} onChoose={() => setOpen(false)} />
            </nav>
          ))}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

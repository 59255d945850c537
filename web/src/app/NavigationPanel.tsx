import { Dialog } from '@base-ui/react/dialog'
import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { type ComponentProps, type ReactElement, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import type { Navigation } from '~/core'
import { useSession } from '~/lib/session'
import { CorporationBrand } from '~/ui/Brand'
import { cx } from '~/ui/cx'
import { useHistoryEntry } from '~/ui/dialogHistory'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { accountEntries } from './accountPages'
import { ariaCurrentFor, entriesWithPage } from './currentLink'
import { PhoneLinks } from './PhoneLinks'

type Props = {
  brand: ComponentProps<typeof CorporationBrand>
  navigation: Pick<Navigation, 'main' | 'profile'>
  /** The button that opens the panel. */
  trigger: ReactElement
  /** The side of the window from which the panel comes. */
  side: 'left' | 'right'
}

/**
 * A button of phones that opens a panel with all links, including the account pages of the profile menu. Hidden if the
 * user can open only account pages.
 */
export function NavigationPanel({ brand, navigation: { main, profile }, trigger, side }: Props) {
  const [open, setOpen] = useState(false)
  useHistoryEntry(open, () => setOpen(false))
  const { pathname } = useLocation()
  const session = useSession()
  const account = useMemo(() => accountEntries(session), [session])
  const groups = [
    { label: t`Main`, entries: main },
    { label: t`Administration`, entries: profile },
    { label: t`Account`, entries: account },
  ].filter(group => group.entries.length > 0)
  const markOf = ariaCurrentFor(entriesWithPage([...main, ...profile, ...account]), pathname)
  if (main.length + profile.length === 0) return null
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger render={trigger} />
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          className={cx(
            'fixed inset-y-0 z-40 flex w-72 max-w-[calc(100vw-3rem)] flex-col overflow-y-auto border-line bg-raised pb-[env(safe-area-inset-bottom)] text-ink shadow-float outline-none transition-[translate] duration-200',
            side === 'left'
              ? 'left-0 border-r data-ending-style:-translate-x-full data-starting-style:-translate-x-full'
              : 'right-0 border-l data-ending-style:translate-x-full data-starting-style:translate-x-full',
          )}
        >
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

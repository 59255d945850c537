import { t } from '@lingui/core/macro'
import { Search } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { COMMAND, isCommandKey } from '~/ui/command'
import { cx } from '~/ui/cx'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { KeyHint } from '~/ui/Key'
import { isDialogOpen, useShortcut } from '~/ui/shortcuts'
import { fetchPalette, PaletteDialog } from './PaletteDialog'
import { ShortcutsDialog } from './ShortcutsDialog'

const NAME = t`Find anything`

/** The button that opens the command palette. Ctrl+K (Cmd+K) opens it too, and `/` on pages without a search box. */
export function PaletteButton() {
  const [open, setOpen] = useState<'palette' | 'shortcuts'>()
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = open === 'palette'
  }, [open])
  const find = () => setOpen('palette')
  const close = () => setOpen(undefined)
  useShortcut('/', NAME, find, true)
  useShortcut('?', t`Keyboard shortcuts`, () => setOpen('shortcuts'), true)
  // A layout effect, so that the shortcut works as soon as the button is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === COMMAND.key) void fetchPalette()
      if (!isCommandKey(event) || event.key.toLowerCase() !== 'k') return
      if (isDialogOpen() && !isOpen.current) return
      event.preventDefault()
      setOpen(isOpen.current ? undefined : 'palette')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-label={NAME}
        title={NAME}
        aria-haspopup="dialog"
        aria-keyshortcuts={COMMAND.shortcut}
        onClick={find}
        onPointerEnter={() => void fetchPalette()}
        onFocus={() => void fetchPalette()}
        className={cx(
          iconButtonClass,
          'xl:w-56! xl:justify-start xl:gap-2 xl:border xl:border-edge xl:bg-ground xl:px-3',
        )}
      >
        <Search aria-hidden className="size-4.5 shrink-0 xl:size-4" />
        <span aria-hidden className="flex-1 text-left max-xl:hidden">
          {NAME}
        </span>
        <KeyHint keys={COMMAND.label} className="max-xl:hidden" />
      </button>
      <PaletteDialog open={open === 'palette'} onClose={close} onShortcuts={() => setOpen('shortcuts')} />
      <ShortcutsDialog open={open === 'shortcuts'} onClose={close} />
    </>
  )
}

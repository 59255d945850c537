import { Dialog } from '@base-ui/react/dialog'
import { t } from '@lingui/core/macro'
import { LoaderCircle, X } from 'lucide-react'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { core } from '~/core'
import { textOf } from '~/language'
import { useHistoryEntry } from '~/ui/dialogHistory'
import { useFinalFocus } from '~/ui/finalFocus'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { Notice } from '~/ui/Notice'
import type { PaletteProps } from './palette/Palette'

let palette: ComponentType<PaletteProps> | undefined

/** Loads the command palette's code and returns its component; undefined if that failed, which the dialog shows. */
export async function fetchPalette() {
  try {
    palette ??= (await import('./palette/Palette')).Palette
  } catch {
    // Ignored, because the next call tries again.
  }
  return palette
}

/** The dialog of the command palette: below the top bar, on a phone full screen. */
export function PaletteDialog({ open, ...props }: PaletteProps & { open: boolean }) {
  useHistoryEntry(open, props.onClose)
  const focus = useFinalFocus()
  const viewport = useRef<HTMLDivElement>(null)
  const box = () => viewport.current?.querySelector('input')
  return (
    <Dialog.Root open={open} onOpenChange={next => !next && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-starting-style:opacity-0" />
        <Dialog.Viewport
          ref={viewport}
          className="fixed inset-0 z-40 flex justify-center md:items-start md:px-6 md:pt-[12vh]"
        >
          <Dialog.Popup
            {...focus}
            // Focused on touch devices too, because the user opens the palette to type.
            initialFocus={() => box() ?? true}
            aria-label={t`Find anything`}
            className="relative flex h-dvh w-full flex-col overflow-hidden border-line bg-raised text-ink shadow-float outline-none transition-[opacity,scale] duration-150 data-starting-style:scale-97 data-starting-style:opacity-0 md:h-[min(30rem,76dvh)] md:max-w-xl md:rounded-xl md:border"
          >
            <Body {...props} onLoadedLate={() => box()?.focus()} />
            <Dialog.Close
              aria-label={t`Close`}
              className={`${iconButtonClass} absolute top-2 right-2 size-10! touch:size-touch!`}
            >
              <X aria-hidden className="size-4.5" />
            </Dialog.Close>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Body({ onLoadedLate, ...props }: PaletteProps & { onLoadedLate: () => void }) {
  const [Palette, setPalette] = useState(() => palette)
  const isLate = useRef(!Palette)
  const [isMissing, setIsMissing] = useState(false)
  useEffect(() => {
    let isMounted = true
    void fetchPalette().then(loaded => {
      if (!isMounted) return
      setPalette(() => loaded)
      setIsMissing(!loaded)
    })
    return () => {
      isMounted = false
    }
  }, [])
  // If the palette's code loaded after the dialog opened, its input didn't exist for the initial focus. It is focused
  // now.
  useEffect(() => {
    if (!Palette || !isLate.current) return
    isLate.current = false
    onLoadedLate()
  })
  if (Palette) return <Palette {...props} />
  if (isMissing) {
    return (
      <Notice kind="error" className="m-4 mt-16">
        {textOf(core.texts().general.noConnection)}
      </Notice>
    )
  }
  return (
    <div role="status" className="flex flex-1 items-center justify-center text-muted">
      <span className="sr-only">{t`Loading`}</span>
      <LoaderCircle aria-hidden className="size-5 animate-spin motion-reduce:animate-none" />
    </div>
  )
}

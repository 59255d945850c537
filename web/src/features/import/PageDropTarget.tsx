import { t } from '@lingui/core/macro'
import { FileDown } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useState } from 'react'

/** Calls `onDrop` with a file that the user drops anywhere on the page. */
export function PageDropTarget({ onDrop }: { onDrop: (file: File) => void }) {
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onDrop)
  // A layout effect, so that the listeners exist early: without them, the browser would open a dropped file.
  useLayoutEffect(() => {
    // Counts nested elements, because entering a child element fires dragleave on its parent.
    let depth = 0
    const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const leave = () => {
      depth = 0
      setOver(false)
    }
    const listeners = {
      dragenter(event: DragEvent) {
        if (!carriesFile(event)) return
        depth += 1
        setOver(true)
      },
      dragleave() {
        depth = Math.max(0, depth - 1)
        if (depth === 0) setOver(false)
      },
      dragover(event: DragEvent) {
        if (carriesFile(event)) event.preventDefault()
      },
      drop(event: DragEvent) {
        if (!carriesFile(event)) return
        event.preventDefault()
        leave()
        const file = event.dataTransfer?.files[0]
        if (file) take(file)
      },
    }
    for (const [name, listener] of Object.entries(listeners))
      addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        removeEventListener(name, listener as EventListener)
    }
  }, [])
  if (!over) return null
  return (
    <div aria-hidden className="pointer-events-none fixed inset-0 z-35 grid place-items-center bg-veil p-6">
      <div className="flex flex-col items-center gap-3 rounded-2xl border-2 border-dashed border-accent bg-raised px-10 py-12 text-base font-medium shadow-float">
        <FileDown className="size-8 text-accent-text" />
        {t`Drop the file to open it`}
      </div>
    </div>
  )
}

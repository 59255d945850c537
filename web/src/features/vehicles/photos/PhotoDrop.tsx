import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '~/ui/cx'

const imagesIn = (data: DataTransfer | null) =>
  [...(data?.files ?? [])].filter(file => file.type.startsWith('image/'))

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null

type Props = {
  /** The area belongs to the page, so it takes no pasted photos while a dialog is open. */
  isPage?: boolean
  onChoose: (files: File[]) => void
  className?: string
  children: ReactNode
}

/** An area onto which photos can be dropped. It also takes photos that are pasted anywhere in the document. */
export function PhotoDrop({ isPage = false, onChoose, className, children }: Props) {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || (isPage && document.querySelector('[role=dialog], [role=alertdialog]')))
        return
      const images = imagesIn(event.clipboardData)
      if (images.length > 0) onChoose(images)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [isPage, onChoose])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same.
    <div
      className={cx('relative', className)}
      onDragEnter={event => setIsOver(event.dataTransfer.types.includes('Files'))}
      onDragOver={event => {
        if (isOver) event.preventDefault()
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      }}
      onDrop={event => {
        if (!isOver) return
        event.preventDefault()
        setIsOver(false)
        onChoose([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center rounded-xl border-2 border-dashed border-accent bg-soft font-medium">
          {t`Drop the photos here`}
        </div>
      )}
    </div>
  )
}

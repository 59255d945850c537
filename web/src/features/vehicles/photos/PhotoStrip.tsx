import { t } from '@lingui/core/macro'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Photo } from '~/core'
import { cx } from '~/ui/cx'
import { PhotoImage } from './PhotoImage'

const MOVE_KEYS = 'Alt+ArrowLeft Alt+ArrowRight'

type Props = {
  photos: readonly Photo[]
  /** The index of the photo that is shown large, starting at 0. */
  at: number
  mayMove: boolean
  /** A change of the photos is being saved, so none can be moved. */
  isBusy: boolean
  onSelect: (index: number) => void
  onMove: (from: number, to: number) => void
}

/** All photos of a vehicle, small. The arrow keys select a photo. Alt with an arrow key, or dragging, moves a photo. */
export function PhotoStrip({ photos, at, mayMove, isBusy, onSelect, onMove }: Props) {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const list = useRef<HTMLUListElement>(null)
  const buttonAt = (index: number) => list.current?.querySelectorAll('button')[index]
  useEffect(() => {
    const strip = list.current
    const button = strip?.querySelectorAll('button')[at]
    if (strip && button) strip.scrollLeft = button.offsetLeft - (strip.clientWidth - button.clientWidth) / 2
  }, [at])
  const press = (event: KeyboardEvent, index: number) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const to = index + (step ?? 0)
    if (!step || event.ctrlKey || event.metaKey) return
    // Always prevented, because in browsers Alt with an arrow key leaves the page.
    event.preventDefault()
    if (to < 0 || to >= photos.length) return
    if (event.altKey) {
      if (!mayMove || isBusy) return
      onMove(index, to)
    } else {
      onSelect(to)
    }
    // Focuses the photo in its new place, because a moved button loses the focus.
    requestAnimationFrame(() => buttonAt(to)?.focus())
  }
  const stop = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const total = photos.length
  return (
    <ul
      ref={list}
      aria-label={t`All photos`}
      className="relative flex gap-2 overflow-x-auto p-1 print:flex-wrap print:overflow-visible"
    >
      {photos.map(({ photo_id, thumbnail }, index) => (
        <li
          key={photo_id}
          draggable={mayMove}
          className={cx('shrink-0 rounded-md', index === over && index !== dragged && 'ring-2 ring-accent')}
          onDragStart={event => {
            event.dataTransfer.effectAllowed = 'move'
            // Set because Firefox doesn't drag an element without data.
            event.dataTransfer.setData('text/plain', photo_id)
            setDragged(index)
          }}
          onDragOver={event => {
            if (dragged === undefined) return
            event.preventDefault()
            setOver(index)
          }}
          onDrop={event => {
            if (dragged === undefined) return
            event.preventDefault()
            onMove(dragged, index)
            stop()
          }}
          onDragEnd={stop}
        >
          <button
            type="button"
            aria-label={t`Photo ${index + 1} of ${total}`}
            aria-current={index === at || undefined}
            aria-keyshortcuts={mayMove ? MOVE_KEYS : undefined}
            title={mayMove ? t`Alt with an arrow key moves the photo` : undefined}
            className="block overflow-hidden rounded-md border-2 border-transparent bg-subtle aria-current:border-accent"
            onClick={() => onSelect(index)}
            onKeyDown={event => press(event, index)}
          >
            <PhotoImage
              src={thumbnail}
              alt=""
              width={80}
              height={60}
              loading="lazy"
              draggable={false}
              className={cx('h-15 w-20 object-cover', index === dragged && 'opacity-40')}
            />
          </button>
        </li>
      ))}
    </ul>
  )
}

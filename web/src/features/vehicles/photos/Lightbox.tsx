import { t } from '@lingui/core/macro'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { Photo } from '~/core'
import { Dialog } from '~/ui/Dialog'
import { IconButton } from '~/ui/IconButton'
import { PhotoImage } from './PhotoImage'

type Props = {
  photo: Photo
  name: string
  /** The place of the photo among all photos, starting at 1. */
  place: number
  total: number
  /** Shows the next photo (1) or the previous one (-1). */
  onStep: (step: 1 | -1) => void
  onClose: () => void
}

/** A dialog with a photo as large as fits. The arrow keys show the next or previous photo. */
export function Lightbox({ photo, name, place, total, onStep, onClose }: Props) {
  const step = useEffectEvent(onStep)
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowLeft') step(-1)
      if (key === 'ArrowRight') step(1)
    }
    // In the capture phase, because the dialog stops the events of the arrow keys.
    document.addEventListener('keydown', press, true)
    return () => document.removeEventListener('keydown', press, true)
  }, [])
  return (
    <Dialog
      open
      size="wide"
      title={name}
      description={<span role="status">{t`Photo ${place} of ${total}`}</span>}
      onClose={onClose}
    >
      <PhotoImage
        src={photo.url}
        alt={t`${name}, ${place} of ${total}`}
        width={photo.width}
        height={photo.height}
        className="mx-auto mt-4 h-auto max-h-[75dvh] min-h-24 w-auto max-w-full rounded-lg object-contain"
      />
      {total > 1 && (
        <div className="mt-3 flex justify-center gap-2">
          <IconButton
            label={t`Previous photo`}
            icon={<ArrowLeft aria-hidden className="size-5" />}
            onClick={() => onStep(-1)}
          />
          <IconButton
            label={t`Next photo`}
            icon={<ArrowRight aria-hidden className="size-5" />}
            onClick={() => onStep(1)}
          />
        </div>
      )}
    </Dialog>
  )
}

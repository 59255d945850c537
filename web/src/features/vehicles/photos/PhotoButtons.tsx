import { t } from '@lingui/core/macro'
import { Camera, ImagePlus } from 'lucide-react'
import { type Ref, useRef } from 'react'
import { Button } from '~/ui/Button'

type Props = {
  onChoose: (files: File[]) => void
  /** The button that opens the file chooser. */
  ref?: Ref<HTMLButtonElement>
}

/** The buttons with which the user chooses photos or, on a device with a camera, takes one. */
export function PhotoButtons({ onChoose, ref }: Props) {
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const input = {
    type: 'file',
    accept: 'image/*',
    // Only the buttons open it, so screen readers must not find it as well.
    hidden: true,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const chosen = [...(event.target.files ?? [])]
      // Clears the input, so that choosing the same files again fires a change event.
      event.target.value = ''
      if (chosen.length > 0) onChoose(chosen)
    },
  }
  return (
    <span className="flex flex-wrap gap-2">
      {/* Shown only on touch devices, which usually have a camera. */}
      <Button className="pointer-fine:hidden" onClick={() => camera.current?.click()}>
        <Camera aria-hidden className="size-4 max-sm:hidden" />
        {t`Take photo`}
      </Button>
      <Button ref={ref} onClick={() => files.current?.click()}>
        <ImagePlus aria-hidden className="size-4 max-sm:hidden" />
        {t`Add photos`}
      </Button>
      <input ref={camera} {...input} capture="environment" />
      <input ref={files} {...input} multiple />
    </span>
  )
}

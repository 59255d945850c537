import { t } from '@lingui/core/macro'
import { textOf } from '~/language'
import 'react-easy-crop/react-easy-crop.css'
import { useEffect, useId, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import { core } from '~/core'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { DialogActions } from '~/ui/DialogActions'
import { ErrorNotice } from '~/ui/Notice'
import { cropPicture, type Square } from './picture'

type Props = {
  /** The URL of the picture (`src`), and the decoded image (`picture`). */
  src: string
  picture: HTMLImageElement
  type: string
  onCropped: (blob: Blob) => void
  onClose: () => void
}

const MAX_ZOOM = 4

/** The dialog in which the user crops a picture to a square, by moving it (mouse or arrow keys) and zooming. */
export function CropDialog({ src, picture, type, onCropped, onClose }: Props) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [square, setSquare] = useState<Square>()
  const [isOpen, setIsOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const slider = useId()
  const area = useRef<HTMLDivElement>(null)
  const isReady = square !== undefined
  useEffect(() => {
    // The crop area gets the focus, so that the arrow keys work immediately.
    if (isReady) area.current?.querySelector<HTMLElement>('[role="group"]')?.focus()
  }, [isReady])
  const use = async (part: Square) => {
    setBusy(true)
    try {
      onCropped(await cropPicture(picture, part, type))
    } catch {
      setError(textOf(core.texts().profile.avatarUnreadable))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={t`Crop your picture`}
      description={t`Drag the picture or use the arrow keys. Others see what's inside the circle.`}
      onClose={onClose}
      onOpened={() => setIsOpen(true)}
    >
      <ErrorNotice className="mt-4" message={error} />
      <div ref={area} className="relative mt-5 h-80 overflow-hidden rounded-lg bg-subtle">
        {/* The cropper measures its container on mount, so it waits for the dialog's opening transition. */}
        {isOpen && (
          <Cropper
            image={src}
            crop={crop}
            zoom={zoom}
            maxZoom={MAX_ZOOM}
            aspect={1}
            cropShape="round"
            showGrid={false}
            keyboardStep={8}
            disableAutomaticStylesInjection
            mediaProps={{ alt: '' }}
            cropperProps={{ role: 'group', 'aria-label': t`Crop area. Use the arrow keys to move it.` }}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setSquare(pixels)}
          />
        )}
      </div>
      <div className="my-4 flex items-center gap-3">
        <label htmlFor={slider} className="font-medium">
          {t`Zoom`}
        </label>
        <input
          id={slider}
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={zoom}
          onChange={event => setZoom(event.target.valueAsNumber)}
          className="h-9 min-w-0 flex-1 cursor-pointer accent-fill touch:h-touch"
        />
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button kind="primary" busy={busy} ariaDisabled={!isReady} onClick={() => square && void use(square)}>
          {t`Use picture`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

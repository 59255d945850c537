import { t } from '@lingui/core/macro'
import { Camera } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { core } from '~/core'
import { textOf } from '~/language'
import { findFileError } from '~/lib/imageFile'
import { Avatar } from '~/ui/Avatar'
import { FileInput } from '~/ui/FileInput'
import { WithTip } from '~/ui/IconButton'
import type { CropDialog } from './CropDialog'
import { loadPicture } from './picture'

type Props = {
  name: string
  picture?: string
  /** Called with the cropped picture. */
  onCropped: (blob: Blob) => void
  /** Rendered next to the picture. */
  children: ReactNode
}

/** The picture that is being cropped, and the crop dialog, whose code is loaded when a picture is chosen. */
type CropState = { src: string; picture: HTMLImageElement; type: string; Dialog: typeof CropDialog }

/** The user's picture with a button to change it. */
export function AvatarPicker({ name, picture, onCropped, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const [crop, setCrop] = useState<CropState>()
  const choose = async (file: File) => {
    setError(undefined)
    const fileError = await findFileError('avatar', file)
    if (fileError) return setError(fileError)
    const src = URL.createObjectURL(file)
    const [read, dialog] = await Promise.allSettled([loadPicture(src), import('./CropDialog')])
    if (read.status === 'fulfilled' && dialog.status === 'fulfilled') {
      setCrop({ src, picture: read.value, type: file.type, Dialog: dialog.value.CropDialog })
    } else {
      URL.revokeObjectURL(src)
      const { profile, general } = core.texts()
      setError(textOf(read.status === 'rejected' ? profile.avatarUnreadable : general.noConnection))
    }
  }
  const close = () => {
    if (crop) URL.revokeObjectURL(crop.src)
    setCrop(undefined)
  }
  return (
    <>
      <WithTip tip={t`Change picture`}>
        <button
          type="button"
          aria-label={t`Change picture`}
          onClick={() => input.current?.click()}
          className="group relative shrink-0 rounded-full"
        >
          <Avatar name={name} picture={picture} size="huge" />
          <span
            aria-hidden
            className="absolute -right-1 -bottom-1 flex size-8 items-center justify-center rounded-full border border-line bg-card text-muted transition-colors group-hover:text-ink"
          >
            <Camera className="size-4" />
          </span>
        </button>
      </WithTip>
      <FileInput
        ref={input}
        accept="image/png,image/jpeg"
        label={t`Picture file`}
        onChoose={file => void choose(file)}
      />
      <div className="min-w-0 flex-1 basis-40">
        {children}
        <p role="alert" className="text-xs text-danger">
          {error && <span className="mt-2 block">{error}</span>}
        </p>
      </div>
      {crop && (
        <crop.Dialog
          {...crop}
          onClose={close}
          onCropped={blob => {
            onCropped(blob)
            close()
          }}
        />
      )}
    </>
  )
}

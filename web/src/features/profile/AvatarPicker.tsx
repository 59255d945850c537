import { t } from '@lingui/core/macro'
import { Camera } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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

/** Returns what the crop dialog needs to show a file, whose URL is `src`, or why the file can't be used. */
async function prepareCrop(file: File, src: string): Promise<CropState | string> {
  const fileError = await findFileError('avatar', file)
  if (fileError) return fileError
  const [read, dialog] = await Promise.allSettled([loadPicture(src), import('./CropDialog')])
  const { profile, general } = core.texts()
  if (read.status === 'rejected') return textOf(profile.avatarUnreadable)
  if (dialog.status === 'rejected') return textOf(general.noConnection)
  return { src, picture: read.value, type: file.type, Dialog: dialog.value.CropDialog }
}

/** The user's picture with a button to change it. */
export function AvatarPicker({ name, picture, onCropped, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const [error, setError] = useState<string>()
  const [crop, setCrop] = useState<CropState>()
  useEffect(() => {
    if (!file) return
    const src = URL.createObjectURL(file)
    let isCurrent = true
    const show = async () => {
      const prepared = await prepareCrop(file, src)
      if (!isCurrent) return
      if (typeof prepared === 'string') setError(prepared)
      else setCrop(prepared)
    }
    void show()
    return () => {
      isCurrent = false
      URL.revokeObjectURL(src)
      setCrop(undefined)
    }
  }, [file])
  const choose = (chosen: File) => {
    setError(undefined)
    setFile(chosen)
  }
  const close = () => setFile(undefined)
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
      <FileInput ref={input} accept="image/png,image/jpeg" label={t`Picture file`} onChoose={choose} />
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

import { plural, t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { core } from '~/core'
import { textOf } from '~/language'
import { drafts } from '~/lib/drafts'
import { findFileError } from '~/lib/imageFile'
import { focusNeighbor } from '~/ui/focusNeighbor'
import { IconButton } from '~/ui/IconButton'
import { toast } from '~/ui/Toasts'
import { PhotoButtons } from './PhotoButtons'
import { PhotoDrop } from './PhotoDrop'

/** A photo that was chosen for a vehicle that isn't saved yet, with the object URL of the file. */
type Chosen = { file: File; preview: string }

/** The storage key of the number of chosen photos. Their files are too large for a draft. */
const DRAFT = 'vehicle photos'

/**
 * Returns the photos that were chosen in the form of a new vehicle, and functions to add and remove photos. `lost` is the
 * number of photos that were chosen before the page was reloaded, until others are chosen. `isNew` is false in the form
 * of a stored vehicle, where no photos are chosen.
 */
export function useChosenPhotos(isNew: boolean) {
  const [lost, setLost] = useState(() => (isNew && drafts.read<number>(DRAFT)) || 0)
  const [photos, setPhotos] = useState<readonly Chosen[]>([])
  const previews = useRef<string[]>([])
  useEffect(
    () => () => {
      for (const preview of previews.current) URL.revokeObjectURL(preview)
    },
    [],
  )
  const total = photos.length || lost
  useEffect(() => {
    if (!isNew) return
    if (total > 0) drafts.save(DRAFT, total)
    else drafts.forget(DRAFT)
  }, [isNew, total])
  // As with the form's draft, the number is kept if the session ended.
  useEffect(
    () => () => {
      if (isNew && core.hasSession()) drafts.forget(DRAFT)
    },
    [isNew],
  )
  const add = useCallback((files: File[]) => {
    const chosen = files.map(file => ({ file, preview: URL.createObjectURL(file) }))
    previews.current.push(...chosen.map(({ preview }) => preview))
    setPhotos(photos => [...photos, ...chosen])
    setLost(0)
  }, [])
  const remove = (photo: Chosen) => setPhotos(photos => photos.filter(each => each !== photo))
  /** Leaves out a file that the browser can't show, and says why. */
  const refuse = async (photo: Chosen) => {
    remove(photo)
    const { name } = photo.file
    const reason = await findFileError('photo', photo.file)
    toast.error(reason ?? textOf(core.texts().profile.avatarUnreadable), t`${name} was left out`)
  }
  return {
    photos,
    add,
    remove,
    refuse,
    files: photos.map(({ file }) => file),
    lost,
    forgetLost: () => setLost(0),
  }
}

type Props = Pick<ReturnType<typeof useChosenPhotos>, 'photos' | 'add' | 'remove' | 'refuse'>

/** The field of a new vehicle's form in which photos are chosen. They are sent once the vehicle is saved. */
export function PhotoPicker({ photos, add, remove, refuse }: Props) {
  const total = photos.length
  const adder = useRef<HTMLButtonElement>(null)
  return (
    <PhotoDrop onChoose={add} className="mb-4 grid gap-3 sm:col-span-2">
      <h3 className="text-sm font-medium">{t`Photos`}</h3>
      {total > 0 && (
        <ul aria-label={t`Chosen photos`} className="flex gap-2 overflow-x-auto">
          {photos.map((photo, index) => (
            <li key={photo.preview} className="relative shrink-0">
              <img
                src={photo.preview}
                alt=""
                draggable={false}
                onError={() => void refuse(photo)}
                className="h-18 w-24 rounded-md bg-subtle object-cover"
              />
              {index === 0 && (
                <span className="absolute bottom-1 left-1 rounded bg-black/70 px-1.5 py-0.5 text-xs text-white">
                  {t`Cover`}
                </span>
              )}
              <IconButton
                label={t`Leave out photo ${index + 1} of ${total}, ${photo.file.name}`}
                className="absolute top-0 right-0 bg-card/80"
                icon={<X aria-hidden className="size-4" />}
                onClick={({ currentTarget }) => {
                  if (!focusNeighbor(currentTarget)) adder.current?.focus()
                  remove(photo)
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <PhotoButtons ref={adder} onChoose={add} />
      <p role="status" className="sr-only">
        {total > 0 && plural(total, { one: '# photo chosen', other: '# photos chosen' })}
      </p>
    </PhotoDrop>
  )
}

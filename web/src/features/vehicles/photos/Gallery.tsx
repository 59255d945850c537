import { t } from '@lingui/core/macro'
import { Camera, Expand } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useRevalidator } from 'react-router'
import { core, type Photo, type PhotoOrderInput, type Vehicle } from '~/core'
import { isConflict, isGone, messageOf } from '~/core/problem'
import { Confirm } from '~/ui/Confirm'
import { cx } from '~/ui/cx'
import { toast } from '~/ui/Toasts'
import { Lightbox } from './Lightbox'
import { PhotoBar } from './PhotoBar'
import { PhotoButtons } from './PhotoButtons'
import { PhotoDrop } from './PhotoDrop'
import { PhotoImage } from './PhotoImage'
import { PhotoStrip } from './PhotoStrip'
import { UploadList } from './UploadList'
import { photosPath, upload, usePhotoAdded, useUploads } from './uploads'

type Props = {
  vehicle: Vehicle
  mayEdit: boolean
  /** Called with the vehicle as the server returned it after a change of its photos. */
  onChange: (vehicle: Vehicle) => void
}

/** Returns the photos with the one at index `from` moved to index `to`. */
function movePhoto(photos: readonly Photo[], from: number, to: number): Photo[] {
  const rest = photos.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ...photos.slice(from, from + 1), ...rest.slice(to)]
}

/**
 * The photos of a vehicle: one large, all of them small below it, and for users who may edit, buttons to change them.
 */
export function Gallery({ vehicle, mayEdit, onChange }: Props) {
  const { vehicle_id: id, name } = vehicle
  const [chosen, setChosen] = useState<string>()
  // The photos in the order that is being saved; undefined if none is.
  const [pending, setPending] = useState<Photo[]>()
  const [isBusy, setIsBusy] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  // The id of the photo that the user was asked about. Other users may move or remove it meanwhile.
  const [photoToRemove, setPhotoToRemove] = useState<string>()
  const [said, setSaid] = useState('')
  const { revalidate } = useRevalidator()
  const uploads = useUploads(id)
  usePhotoAdded(
    useCallback(
      changed => {
        if (changed.vehicle_id === id) onChange(changed)
      },
      [id, onChange],
    ),
  )
  const choose = useCallback((files: File[]) => upload({ vehicle_id: id, name }, files), [id, name])
  const photos = pending ?? vehicle.photos
  const at = Math.max(
    0,
    photos.findIndex(({ photo_id }) => photo_id === chosen),
  )
  const shown = photos[at]
  const indexToRemove = photos.findIndex(({ photo_id }) => photo_id === photoToRemove)
  const [place, total] = [at + 1, photos.length]

  const change = async (method: 'PUT' | 'DELETE', path: string, body: unknown, failed: string) => {
    setIsBusy(true)
    try {
      const { data } = (await core.sendJson(method, path, body)) as { data: Vehicle }
      onChange(data)
      return true
    } catch (thrown) {
      // The photo was removed already, perhaps by a request of this page whose response was lost.
      const isRemoved = method === 'DELETE' && isGone(thrown)
      // The photos have changed meanwhile, so they are loaded again.
      if (isRemoved || isConflict(thrown)) void revalidate()
      if (!isRemoved) toast.error(messageOf(thrown, failed))
      return isRemoved
    } finally {
      setPending(undefined)
      setIsBusy(false)
    }
  }
  const move = async (from: number, to: number) => {
    const photo = photos[from]
    if (isBusy || !photo || to < 0 || to >= total || from === to) return
    const order = movePhoto(photos, from, to)
    setPending(order)
    setChosen(photo.photo_id)
    const idsOf = (list: readonly Photo[]) => list.map(({ photo_id }) => photo_id)
    const input: PhotoOrderInput = { order: idsOf(order), before: idsOf(photos) }
    const failed = t`The order couldn't be saved.`
    if (await change('PUT', photosPath(id), input, failed)) setSaid(t`Photo ${to + 1} of ${total}`)
  }
  const remove = async () => {
    setPhotoToRemove(undefined)
    if (indexToRemove < 0 || isBusy) return
    const next = photos[indexToRemove + 1] ?? photos[indexToRemove - 1]
    const path = `${photosPath(id)}/${photoToRemove}`
    if (await change('DELETE', path, undefined, t`The photo couldn't be removed.`)) {
      setChosen(next?.photo_id)
      setSaid(t`Photo removed`)
    }
  }

  if (total === 0 && uploads.length === 0 && !mayEdit) return null
  const content = (
    <section
      aria-label={t`Photos`}
      className={cx('card grid grid-cols-[minmax(0,1fr)] gap-3 p-3', !shown && 'print:hidden')}
    >
      {shown ? (
        <div className="relative print:max-w-md">
          <button
            type="button"
            className="block aspect-4/3 w-full overflow-hidden rounded-lg bg-subtle"
            aria-label={t`Show photo ${place} of ${total} in full size`}
            onClick={() => setIsOpen(true)}
          >
            <PhotoImage
              src={shown.url}
              alt={t`${name}, ${place} of ${total}`}
              width={shown.width}
              height={shown.height}
              draggable={false}
              className="size-full object-contain"
            />
          </button>
          <span className="pointer-events-none absolute bottom-2 left-2 rounded-md bg-black/70 px-2 py-1 text-xs font-medium text-white tabular-nums print:hidden">
            {at === 0 ? t`Cover · ${place} of ${total}` : t`${place} of ${total}`}
          </span>
          <span
            aria-hidden
            className="pointer-events-none absolute right-2 bottom-2 rounded-md bg-black/70 p-1.5 text-white print:hidden"
          >
            <Expand className="size-4" />
          </span>
        </div>
      ) : (
        <div className="flex aspect-4/3 max-h-64 flex-col items-center justify-center gap-2 rounded-lg border border-dashed border-edge px-4 text-center">
          <Camera aria-hidden className="size-8 text-muted" />
          <p className="font-medium">{t`No photos yet`}</p>
          <p className="text-xs text-muted">{t`Take photos, choose files, drop them here, or paste one.`}</p>
        </div>
      )}
      {total > 1 && (
        <PhotoStrip
          photos={photos}
          at={at}
          mayMove={mayEdit}
          isBusy={isBusy}
          onSelect={index => setChosen(photos[index]?.photo_id)}
          onMove={(from, to) => void move(from, to)}
        />
      )}
      <UploadList key={id} uploads={uploads} />
      {mayEdit && (
        <div className="flex flex-wrap items-center justify-between gap-2 print:hidden">
          <PhotoButtons onChoose={choose} />
          {shown && (
            <PhotoBar
              at={at}
              total={total}
              isBusy={isBusy}
              onMove={to => void move(at, to)}
              onRemove={() => setPhotoToRemove(shown.photo_id)}
            />
          )}
        </div>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
      <Confirm
        open={indexToRemove >= 0}
        title={t`Remove this photo?`}
        description={t`A removed photo can't be restored.`}
        cancelLabel={t`Keep photo`}
        confirmLabel={t`Remove photo`}
        onCancel={() => setPhotoToRemove(undefined)}
        onConfirm={() => void remove()}
      />
      {isOpen && shown && (
        <Lightbox
          photo={shown}
          name={name}
          place={place}
          total={total}
          onStep={step => setChosen(photos[(at + step + total) % total]?.photo_id)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </section>
  )
  if (!mayEdit) return content
  return (
    <PhotoDrop isPage onChoose={choose}>
      {content}
    </PhotoDrop>
  )
}

import { t } from '@lingui/core/macro'
import { useEffect, useSyncExternalStore } from 'react'
import type { Vehicle } from '~/core'
import { authorizedFetch, describeError } from '~/lib/authorizedFetch'
import { onDraftsDeleted } from '~/lib/drafts'
import { createEmitter } from '~/lib/emitter'
import { toast } from '~/ui/Toasts'
import { scaleDown } from './scale'

/** A photo that is sent, or waits for it. */
export type Upload = {
  id: number
  /** The id of its vehicle. */
  vehicle: string
  file: Blob
  /** The object URL of the file. */
  preview: string
  /** Why it could not be sent. */
  error?: string
}

/** The path of a vehicle's photos in the API. */
export const photosPath = (vehicle: string) => `/api/vehicles/${vehicle}/photos`

let uploads: readonly Upload[] = []
let lastId = 0
let isRunning = false
/** Aborted when the user signs out or another one signs in. */
let signedIn = new AbortController()
const changes = createEmitter()
const added = new Set<(vehicle: Vehicle) => void>()

function set(next: readonly Upload[]) {
  for (const { id, preview } of uploads) {
    if (!next.some(upload => upload.id === id)) URL.revokeObjectURL(preview)
  }
  uploads = next
  changes.notify()
  if (uploads.length > 0) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}

/** Asks before the page is left with photos that are not sent. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** Sends photos of a vehicle one after the other, so that they keep their order, also after the page has changed. */
export function upload(vehicle: string, files: readonly Blob[]) {
  const chosen = files.map(file => {
    lastId += 1
    return { id: lastId, vehicle, file, preview: URL.createObjectURL(file) }
  })
  set([...uploads, ...chosen])
  void run()
}

/** Sends a photo again that could not be sent. */
export function retry({ id }: Upload) {
  set(uploads.map(({ error, ...upload }) => (upload.id === id || !error ? upload : { ...upload, error })))
  void run()
}

/** Forgets a photo that could not be sent. */
export function discard({ id }: Upload) {
  set(uploads.filter(upload => upload.id !== id))
}

// The next user's session must not send them.
onDraftsDeleted(() => {
  signedIn.abort()
  signedIn = new AbortController()
  set([])
})

async function run() {
  if (isRunning) return
  isRunning = true
  for (;;) {
    const next = uploads.find(({ error }) => error === undefined)
    if (!next) break
    const { signal } = signedIn
    try {
      const vehicle = await send(next, signal)
      discard(next)
      for (const listener of added) listener(vehicle)
    } catch (thrown) {
      if (signal.aborted) continue
      const error = describeError(thrown, t`The photo could not be added.`)
      set(uploads.map(upload => (upload.id === next.id ? { ...upload, error } : upload)))
      // The list of photos that were not sent is on the page of the vehicle, which may not be open.
      toast.error(error)
    }
  }
  isRunning = false
}

async function send({ vehicle, file }: Upload, signal: AbortSignal): Promise<Vehicle> {
  const form = new FormData()
  // With a name of its own: that of the file may contain characters that multipart forms can't encode.
  form.append('photo', await scaleDown(file), 'photo')
  const response = await authorizedFetch(photosPath(vehicle), signal, form)
  return ((await response.json()) as { data: Vehicle }).data
}

/** Returns the photos of a vehicle that are sent, in their order. */
export function useUploads(vehicle: string): Upload[] {
  const all = useSyncExternalStore(changes.subscribe, () => uploads)
  return all.filter(upload => upload.vehicle === vehicle)
}

/** Calls `listener` with the vehicle as it is when one of its photos was added. */
export function usePhotoAdded(listener: (vehicle: Vehicle) => void) {
  useEffect(() => {
    added.add(listener)
    return () => void added.delete(listener)
  }, [listener])
}

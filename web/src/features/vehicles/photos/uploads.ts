import { t } from '@lingui/core/macro'
import { useEffect, useSyncExternalStore } from 'react'
import type { Vehicle } from '~/core'
import { authorizedFetch, describeError } from '~/lib/authorizedFetch'
import { onDraftsDeleted } from '~/lib/drafts'
import { createEmitter } from '~/lib/emitter'
import { toast } from '~/ui/Toasts'
import { scaleDown } from './scale'

/** A photo that is being sent, waits to be sent, or could not be sent. */
export type Upload = {
  id: number
  /** The id of the vehicle to which the photo belongs. */
  vehicle: string
  file: Blob
  /** The object URL of the file, to show it. */
  preview: string
  /** Why the photo could not be sent; undefined while it waits or is being sent. */
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

/** Asks for confirmation before the tab is closed or reloaded while photos aren't sent. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/**
 * Sends photos of a vehicle one after the other, so that they keep their order. Continues when the user opens another
 * page.
 */
export function upload(vehicle: string, files: readonly Blob[]) {
  const chosen = files.map(file => {
    lastId += 1
    return { id: lastId, vehicle, file, preview: URL.createObjectURL(file) }
  })
  set([...uploads, ...chosen])
  void run()
}

/** Tries again to send a photo that could not be sent. */
export function retry({ id }: Upload) {
  set(uploads.map(({ error, ...upload }) => (upload.id === id || !error ? upload : { ...upload, error })))
  void run()
}

/** Removes a photo from the list of those to send. */
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
      const error = describeError(thrown, t`The photo couldn't be added.`)
      set(uploads.map(upload => (upload.id === next.id ? { ...upload, error } : upload)))
      // Also shown as a toast, because the vehicle's page with the list of failed photos may not be open.
      toast.error(error)
    }
  }
  isRunning = false
}

async function send({ vehicle, file }: Upload, signal: AbortSignal): Promise<Vehicle> {
  const form = new FormData()
  // Sent under a fixed file name, because the file's own may contain characters that multipart forms can't encode.
  form.append('photo', await scaleDown(file), 'photo')
  const response = await authorizedFetch(photosPath(vehicle), signal, form)
  return ((await response.json()) as { data: Vehicle }).data
}

/** Returns the photos of a vehicle that aren't sent yet, or could not be sent, in their order. */
export function useUploads(vehicle: string): Upload[] {
  const all = useSyncExternalStore(changes.subscribe, () => uploads)
  return all.filter(upload => upload.vehicle === vehicle)
}

/** Calls `listener` whenever a photo was added to any vehicle, with that vehicle as the server returned it. */
export function usePhotoAdded(listener: (vehicle: Vehicle) => void) {
  useEffect(() => {
    added.add(listener)
    return () => void added.delete(listener)
  }, [listener])
}

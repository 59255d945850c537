import { plural, t } from '@lingui/core/macro'
import { useEffect, useSyncExternalStore } from 'react'
import { core, type Vehicle } from '~/core'
import { authorizedFetch, describeError, ResponseError } from '~/lib/authorizedFetch'
import { checkConnection, onReconnect, useIsConnected } from '~/lib/connection'
import { describeOtherWork, onDraftsDeleted, onOwnerKnown } from '~/lib/drafts'
import { createEmitter } from '~/lib/emitter'
import { noteOwnChange } from '~/lib/live'
import { randomId } from '~/lib/randomId'
import { toast } from '~/ui/Toasts'
import { scaleDown } from './scale'

/** A photo that is being sent, waits to be sent, or could not be sent. */
export type Upload = {
  /** 128 random bits, which the server reads as a UUID, and by which it recognizes a photo that is sent again. */
  id: string
  /** The id of the vehicle to which the photo belongs. */
  vehicle: string
  /** The name of the vehicle. */
  name: string
  file: Blob
  /** The object URL of the file, to show it. */
  preview: string
  /** Number of attempts without a response since it was added or the user tried again. */
  attempts: number
  /** Why the photo could not be sent; undefined while it waits or is being sent. */
  error?: UploadError
}

type UploadError = {
  message: string
  /** Whether the photo may be accepted when it is sent again. */
  canRetry: boolean
  /**
   * Whether no response arrived, or the session had ended. Such a photo is sent again when the server is reachable again,
   * or the user has signed in again.
   */
  isUnanswered: boolean
}

/** How often a photo is sent without the user if no response arrives although the server is reachable. */
const ATTEMPTS = 3

const TIMEOUT = 408
const CONFLICT = 409
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500
/** Includes conflicts because the user can resolve them: if a vehicle has too many photos, by removing one. */
const RETRIABLE = [TIMEOUT, CONFLICT, TOO_MANY_REQUESTS]

function errorOf(thrown: unknown): UploadError {
  const message = describeError(thrown, t`The photo couldn't be added.`)
  if (!(thrown instanceof ResponseError)) return { message, canRetry: true, isUnanswered: true }
  const canRetry = thrown.status >= SERVER_ERROR || RETRIABLE.includes(thrown.status)
  return { message, canRetry, isUnanswered: false }
}

/** The path of a vehicle's photos in the API. */
export const photosPath = (vehicle: string) => `/api/vehicles/${vehicle}/photos`

let uploads: readonly Upload[] = []
let isRunning = false
/** Aborted when the user signs out or another one signs in. */
let signedIn = new AbortController()
const changes = createEmitter()
const added = new Set<(vehicle: Vehicle) => void>()
/** The lists of uploads on the page, each with its vehicle's id. */
const lists = new Set<{ vehicle: string }>()

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

describeOtherWork(() =>
  uploads.length > 0
    ? plural(uploads.length, { one: "# photo hasn't been sent.", other: "# photos haven't been sent." })
    : undefined,
)

/**
 * Sends photos of a vehicle one after the other, so that they keep their order. Continues when the user opens another
 * page.
 */
export function upload({ vehicle_id, name }: Pick<Vehicle, 'vehicle_id' | 'name'>, files: readonly Blob[]) {
  const chosen = files.map(file => ({
    id: randomId(),
    vehicle: vehicle_id,
    name,
    file,
    preview: URL.createObjectURL(file),
    attempts: 0,
  }))
  set([...uploads, ...chosen])
  void run()
}

/** Tries again to send the photos that could not be sent and for which `isWanted` is true. */
function retryAll(isWanted: (upload: Upload, error: UploadError) => boolean) {
  set(
    uploads.map(upload => {
      const { error, ...waiting } = upload
      return error && isWanted(upload, error) ? { ...waiting, attempts: 0 } : upload
    }),
  )
  void run()
}

/** Tries again to send a photo that could not be sent. */
export const retry = ({ id }: Upload) => retryAll(upload => upload.id === id)

const retryUnanswered = () => retryAll((_, { isUnanswered }) => isUnanswered)
// Without a session, the request that reached the server may be the sign-in of another user.
onReconnect(() => core.hasSession() && retryUnanswered())
// The same user has signed in again. The uploads of another user are deleted before.
onOwnerKnown(retryUnanswered)

/** Removes a photo from the list of those to send. */
export function discard({ id, vehicle, error }: Upload) {
  set(uploads.filter(upload => upload.id !== id))
  // The server may have stored it. Then the page shows it, so that the user can remove it.
  if (error?.isUnanswered) core.getRecord('vehicles', vehicle).then(notifyAdded, () => {})
}

function notifyAdded(vehicle: Vehicle) {
  for (const listener of added) listener(vehicle)
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
      noteOwnChange()
      discard(next)
      notifyAdded(vehicle)
    } catch (thrown) {
      if (signal.aborted) continue
      const error = errorOf(thrown)
      const attempts = next.attempts + 1
      // If the server is reachable after all, the photo is sent again at once. Else it is when the connection returns, or
      // after the user has signed in.
      const isReachable = error.isUnanswered && core.hasSession() && (await checkConnection())
      // The user may have signed out or discarded it meanwhile.
      if (signal.aborted || !uploads.some(({ id }) => id === next.id)) continue
      const isSentAgain = isReachable && attempts < ATTEMPTS
      const change = isSentAgain ? { attempts } : { attempts, error }
      set(uploads.map(upload => (upload.id === next.id ? { ...upload, ...change } : upload)))
      if (isSentAgain) continue
      // On another page the list of failed photos isn't visible. The login page says that the session has ended.
      if (core.hasSession() && ![...lists].some(({ vehicle }) => vehicle === next.vehicle)) {
        const { name } = next
        if (error.isUnanswered && !isReachable) {
          toast.info(t`A photo of ${name} will be sent when the connection returns.`)
        } else {
          toast.error(error.message, t`A photo of ${name} couldn't be added`)
        }
      }
    }
  }
  isRunning = false
}

async function send({ id, vehicle, file }: Upload, signal: AbortSignal): Promise<Vehicle> {
  const form = new FormData()
  form.append('upload_id', id)
  // Sent under a fixed file name, because the file's own may contain characters that multipart forms can't encode.
  form.append('photo', await scaleDown(file), 'photo')
  const response = await authorizedFetch(photosPath(vehicle), signal, form)
  return ((await response.json()) as { data: Vehicle }).data
}

/**
 * Returns the photos of a vehicle that aren't sent yet, or could not be sent, in their order. The component must show
 * their errors, which are shown as toasts only while no component uses this hook for the vehicle.
 */
export function useUploads(vehicle: string): Upload[] {
  useEffect(() => {
    const list = { vehicle }
    lists.add(list)
    return () => void lists.delete(list)
  }, [vehicle])
  const all = useSyncExternalStore(changes.subscribe, () => uploads)
  return all.filter(upload => upload.vehicle === vehicle)
}

/** Returns a function that returns whether a photo will be sent when the connection returns. */
export function useAwaitsConnection() {
  const isConnected = useIsConnected()
  return ({ error }: Upload) => !isConnected && error?.isUnanswered === true
}

/** The vehicle of a photo. */
export type Photographed = Pick<Upload, 'vehicle' | 'name'>

const vehiclesOf = (some: Upload[]): Photographed[] => [
  ...new Map(some.map(upload => [upload.vehicle, upload])).values(),
]

/** Returns the vehicles of which photos could not be sent (`failed`) or wait for the connection, each once. */
export function useUnsentPhotos() {
  const all = useSyncExternalStore(changes.subscribe, () => uploads)
  const awaitsConnection = useAwaitsConnection()
  const failed = all.filter(upload => upload.error && !awaitsConnection(upload))
  return { failed: vehiclesOf(failed), waiting: vehiclesOf(all.filter(awaitsConnection)) }
}

/** Calls `listener` whenever a photo was added to any vehicle, with that vehicle as the server returned it. */
export function usePhotoAdded(listener: (vehicle: Vehicle) => void) {
  useEffect(() => {
    added.add(listener)
    return () => void added.delete(listener)
  }, [listener])
}

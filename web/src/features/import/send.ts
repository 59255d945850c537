import { type ColumnMapping, type Corrections, core, type ReadOptions, type Verdict } from '~/core'
import { said } from '~/language'

/** What goes to the server: the file as it is, and what the person made of it. */
export type Parcel = {
  file: File
  options: ReadOptions
  mapping: ColumnMapping[]
  corrections: Corrections
  verdict: Verdict
}

/** How much of a parcel is on its way. */
export type Upload = { sent: number; whole: number }

/** Why a parcel didn't arrive; status 0 when the server wasn't reached. */
export class SendError extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The person called it off. */
export class Aborted extends Error {}

const UNAUTHORIZED = 401
const FORBIDDEN = 403

function form({ file, options, mapping, corrections, verdict }: Parcel): FormData {
  const form = new FormData()
  // Small things first: the server knows what to do with the file before it comes.
  for (const [name, value] of Object.entries({ columnMapping: mapping, options, corrections, verdict }))
    form.append(name, JSON.stringify(value))
  // A browser writes control characters as they are, and a form with such a name can't be read.
  form.append('file', file, file.name.replace(/\p{Cc}/gu, ''))
  return form
}

function once(token: string, parcel: Parcel, tell: (upload: Upload) => void, signal: AbortSignal) {
  // Only XMLHttpRequest tells how much of a body has been sent. The browser reads the file while it sends it.
  const request = new XMLHttpRequest()
  return new Promise<string>((resolve, reject) => {
    const stop = () => request.abort()
    signal.addEventListener('abort', stop)
    request.upload.onprogress = ({ loaded, total }) => tell({ sent: loaded, whole: total })
    request.onload = () => {
      const reply = request.response as { sessionId?: string; message?: string } | null
      if (request.status < 300 && reply?.sessionId) resolve(reply.sessionId)
      else {
        const why = reply?.message ? said(reply.message) : core.texts().import.submitFailed
        reject(new SendError(why, request.status))
      }
    }
    request.onerror = () => reject(new SendError(core.texts().general.noConnection, 0))
    request.onabort = () => reject(new Aborted())
    request.onloadend = () => signal.removeEventListener('abort', stop)
    request.responseType = 'json'
    request.open('POST', core.importPath())
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.send(form(parcel))
  })
}

/** A file that was saved again since it was read can't be read any more, and isn't what was checked. */
async function unchanged(file: File) {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => Promise.reject(new SendError(core.texts().import.fileChanged, 0)))
}

/** Sends a file; gives the id of the import that has begun. A session that has run out is renewed once. */
export async function send(
  parcel: Parcel,
  tell: (upload: Upload) => void,
  signal: AbortSignal,
): Promise<string> {
  await unchanged(parcel.file)
  const attempt = async () => once(await core.accessToken(), parcel, tell, signal)
  try {
    return await attempt().catch(async error => {
      if (!(error instanceof SendError) || error.status !== UNAUTHORIZED) throw error
      // Any call finds out whether the session goes on; if not, it says so itself.
      await core.getProfile()
      return attempt()
    })
  } catch (error) {
    if (error instanceof SendError && error.status === FORBIDDEN) core.reportForbidden()
    // The browser doesn't say why it gave up.
    if (error instanceof SendError && error.status === 0) await unchanged(parcel.file)
    throw error
  }
}

import { t } from '@lingui/core/macro'
import { type ColumnMapping, type Corrections, core, type ReadOptions, type Verdict } from '~/core'
import { type Reply, textIn } from '~/core/problem'
import { textOf } from '~/language'

/** What is sent to the server: the file, the user's mapping, options and corrections, and the browser's verdict. */
export type Submission = {
  file: File
  options: ReadOptions
  mapping: ColumnMapping[]
  corrections: Corrections
  verdict: Verdict
}

/** The progress of an upload: the bytes of the file that were sent, and its size in bytes. */
export type Upload = { sent: number; whole: number }

/** The error of a failed upload. `status` is 0 if the server wasn't reached or the file was changed. */
export class SendError extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The error of an upload that the user has cancelled. */
export class UploadCancelled extends Error {}

const UNAUTHORIZED = 401
const FORBIDDEN = 403

function form({ file, options, mapping, corrections, verdict }: Submission): FormData {
  const form = new FormData()
  // The file is last, because the server reads the other parts before it.
  for (const [name, value] of Object.entries({ columnMapping: mapping, options, corrections, verdict }))
    form.append(name, JSON.stringify(value))
  // Browsers don't escape control characters in file names, and a form with such a name can't be parsed.
  form.append('file', file, file.name.replace(/\p{Cc}/gu, ''))
  return form
}

function upload(
  token: string,
  submission: Submission,
  onProgress: (upload: Upload) => void,
  signal: AbortSignal,
) {
  // `fetch` isn't used, because only XMLHttpRequest reports the progress of an upload.
  const request = new XMLHttpRequest()
  return new Promise<string>((resolve, reject) => {
    const stop = () => request.abort()
    signal.addEventListener('abort', stop)
    const whole = submission.file.size
    // The request body also has the other fields of the form, so `total` is more than the file's size.
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress({ sent: Math.floor((loaded / total) * whole), whole })
    request.onload = () => {
      const reply = request.response as (Reply & { sessionId?: string }) | null
      if (request.status < 300 && reply?.sessionId) resolve(reply.sessionId)
      else reject(new SendError(textIn(reply, t`Failed to import contacts`), request.status))
    }
    request.onerror = () => reject(new SendError(textOf(core.texts().general.noConnection), 0))
    request.onabort = () => reject(new UploadCancelled())
    request.onloadend = () => signal.removeEventListener('abort', stop)
    request.responseType = 'json'
    request.open('POST', core.importPath())
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('Authorization', `Bearer ${token}`)
    const timeZone = core.timeZone()
    if (timeZone) request.setRequestHeader('Time-Zone', timeZone)
    request.send(form(submission))
  })
}

/** Rejects if the file was changed since the user chose it. Browsers don't read a changed file. */
async function assertUnchanged(file: File) {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => Promise.reject(new SendError(textOf(core.texts().import.fileChanged), 0)))
}

/** Submits a file, and returns the id of the import job. After a 401, refreshes the session and retries once. */
export async function send(
  submission: Submission,
  onProgress: (upload: Upload) => void,
  signal: AbortSignal,
): Promise<string> {
  await assertUnchanged(submission.file)
  const attempt = async () => upload(await core.accessToken(), submission, onProgress, signal)
  try {
    return await attempt().catch(async error => {
      if (!(error instanceof SendError) || error.status !== UNAUTHORIZED) throw error
      // This request is sent only because any API request refreshes an expired session, or reports that it has ended.
      await core.getProfile()
      return attempt()
    })
  } catch (error) {
    if (error instanceof SendError && error.status === FORBIDDEN) core.reportForbidden()
    // A file that was changed meanwhile looks like a network error, so it is checked for that.
    if (error instanceof SendError && error.status === 0) await assertUnchanged(submission.file)
    throw error
  }
}

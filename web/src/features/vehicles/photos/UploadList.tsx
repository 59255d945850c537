import { t } from '@lingui/core/macro'
import { LoaderCircle } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '~/ui/Button'
import { ProgressBar } from '~/ui/ProgressBar'
import { discard, retry, type Upload } from './uploads'

/** Shows the progress of the photos that are being sent, and lists those that could not be sent. */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  const waiting = uploads.filter(({ error }) => error === undefined)
  const failed = uploads.filter(({ error }) => error !== undefined)
  // The largest number of photos that were waiting at once, which is the total of the progress bar.
  const most = useRef(0)
  most.current = waiting.length === 0 ? 0 : Math.max(most.current, waiting.length)
  const total = most.current
  const done = total - waiting.length
  return (
    <>
      {waiting.length > 0 && (
        <div className="grid gap-2">
          <ProgressBar
            label={t`Adding photos…`}
            value={total > 1 ? done : null}
            max={total}
            text={t`${done} of ${total}`}
          />
          <ul aria-label={t`Photos being uploaded`} className="flex gap-2 overflow-x-auto">
            {waiting.map(({ id, preview }) => (
              <li key={id} className="relative shrink-0">
                <img src={preview} alt="" className="h-15 w-20 rounded-md object-cover opacity-50" />
                <LoaderCircle
                  aria-hidden
                  className="absolute inset-0 m-auto size-5 animate-spin motion-reduce:animate-none"
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div role="alert">
        {failed.length > 0 && (
          <ul aria-label={t`Photos that couldn't be added`} className="grid gap-2">
            {failed.map(upload => (
              <li key={upload.id} className="flex flex-wrap items-center gap-3 rounded-lg bg-danger-soft p-2">
                <img src={upload.preview} alt="" className="h-12 w-16 rounded object-cover" />
                <span className="min-w-0 flex-1 basis-40 text-danger [overflow-wrap:anywhere]">
                  {upload.error?.message}
                </span>
                <span className="flex gap-2">
                  {upload.error?.canRetry && <Button onClick={() => retry(upload)}>{t`Try Again`}</Button>}
                  <Button kind="ghost" onClick={() => discard(upload)}>
                    {t`Discard`}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

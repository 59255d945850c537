import { plural, t } from '@lingui/core/macro'
import { LoaderCircle } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { ProgressBar } from '~/ui/ProgressBar'
import { discard, retry, type Upload, useAwaitsConnection } from './uploads'

/** Returns how many photos were added since uploading began, also after it has ended. */
function useAddedCount(uploads: Upload[], waiting: Upload[]): number {
  const ids = waiting.map(({ id }) => id)
  const [known, setKnown] = useState({ ids, added: 0 })
  if (known.ids.join() !== ids.join()) {
    const added = known.ids.filter(id => uploads.every(upload => upload.id !== id)).length
    setKnown({ ids, added: known.ids.length === 0 ? 0 : known.added + added })
  }
  return known.added
}

/**
 * Shows the progress of the photos that are being sent, and lists those that wait for the connection or could not be
 * sent.
 */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  const waiting = uploads.filter(({ error }) => error === undefined)
  const awaitsConnection = useAwaitsConnection()
  const offline = uploads.filter(awaitsConnection)
  const failed = uploads.filter(upload => upload.error && !awaitsConnection(upload))
  const added = useAddedCount(uploads, waiting)
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
      <p role="status" className="sr-only">
        {waiting.length > 0
          ? t`Adding photos…`
          : added > 0 && plural(added, { one: '# photo added', other: '# photos added' })}
      </p>
      <div>
        <div role="status">
          {offline.length > 0 && (
            <ul aria-label={t`Photos that wait for the connection`} className="grid gap-2">
              {offline.map(upload => (
                <Unsent key={upload.id} upload={upload} className="bg-subtle">
                  {t`Will be sent when the connection returns.`}
                </Unsent>
              ))}
            </ul>
          )}
        </div>
        <div role="alert">
          {failed.length > 0 && (
            <ul
              aria-label={t`Photos that couldn't be added`}
              className={cx('grid gap-2', offline.length > 0 && 'mt-2')}
            >
              {failed.map(upload => (
                <Unsent
                  key={upload.id}
                  upload={upload}
                  className="bg-danger-soft"
                  button={
                    upload.error?.canRetry && <Button onClick={() => retry(upload)}>{t`Try Again`}</Button>
                  }
                >
                  <span className="text-danger">{upload.error?.message}</span>
                </Unsent>
              ))}
            </ul>
          )}
        </div>
      </div>
    </>
  )
}

type UnsentProps = { upload: Upload; className: string; button?: ReactNode; children: ReactNode }

/** A photo with its state and the buttons to send it again or to discard it. */
function Unsent({ upload, className, button, children }: UnsentProps) {
  return (
    <li className={cx('flex flex-wrap items-center gap-3 rounded-lg p-2', className)}>
      <img src={upload.preview} alt="" className="h-12 w-16 rounded object-cover" />
      <span className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">{children}</span>
      <span className="flex gap-2">
        {button}
        <Button kind="ghost" onClick={() => discard(upload)}>
          {t`Discard`}
        </Button>
      </span>
    </li>
  )
}

import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useState } from 'react'
import { describeError } from '~/lib/authorizedFetch'
import { count } from '~/lib/format'
import { save } from '~/lib/save'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { SmallDialogActions } from '~/ui/DialogActions'
import { ErrorNotice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { RetryButton } from '~/ui/RetryButton'
import { toast } from '~/ui/Toasts'
import { download } from './download'

const MEGABYTE = 1_000_000

type Props = {
  title: string
  /** The URL path of the file, with its query. */
  address: string
  onClose: () => void
}

/**
 * A dialog that downloads a file when it opens, and closes when the file is saved. It stays open and shows an error.
 */
export function DownloadDialog({ title, address, onClose }: Props) {
  const [bytes, setBytes] = useState(0)
  const [error, setError] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  const close = useEffectEvent(onClose)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt sends the same request again.
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setError(undefined)
    setBytes(0)
    download(address, setBytes, signal)
      .then(({ name, file }) => {
        if (signal.aborted) return
        save(file, name)
        toast.success(t`${name} was downloaded`)
        close()
      })
      .catch(thrown => {
        if (!signal.aborted) setError(describeError(thrown, t`The export failed.`))
      })
    return () => controller.abort()
  }, [address, attempt])
  const megabytes = count(Math.round(bytes / MEGABYTE))
  return (
    <Dialog open size="small" title={title} onClose={onClose}>
      <div className="mt-4">
        {error ? (
          <ErrorNotice message={error} />
        ) : (
          <ProgressBar
            label={t`Preparing the file…`}
            value={null}
            max={1}
            text={bytes < MEGABYTE ? '' : t`${megabytes} MB received`}
          />
        )}
      </div>
      <SmallDialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        {error && <RetryButton onClick={() => setAttempt(attempt + 1)} />}
      </SmallDialogActions>
    </Dialog>
  )
}

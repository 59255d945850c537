import { t } from '@lingui/core/macro'
import { ImageUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { core, type LogoReply } from '~/core'
import { messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { findFileError } from '~/lib/imageFile'
import { useRenewSession } from '~/lib/session'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Confirm } from '~/ui/Confirm'
import { cx } from '~/ui/cx'
import { ImageWithFallback } from '~/ui/ImageWithFallback'
import { ErrorNotice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { useObjectUrl } from './useObjectUrl'

type Props = {
  logo?: string
  corporation: string
  /** Called with true when a file is chosen, and with false when it is uploaded or no longer chosen. */
  onDirty: (isDirty: boolean) => void
}

/**
 * The card that uploads or removes the corporation's logo, which is shown in the top bar instead of the product's
 * brand.
 */
export function LogoCard({ logo: initial, corporation, onDirty }: Props) {
  const [logo, setLogo] = useState(initial)
  const [chosen, setChosen] = useState<File>()
  const [busy, setBusy] = useState<'upload' | 'remove'>()
  const [isAsking, setIsAsking] = useState(false)
  const [error, setError] = useState<string>()
  const [isOver, setIsOver] = useState(false)
  const renewSession = useRenewSession()
  const texts = core.texts().theme
  const preview = useObjectUrl(chosen)
  useEffect(() => onDirty(chosen !== undefined), [chosen, onDirty])

  const choose = async (file: File) => {
    const fileError = await findFileError('logo', file)
    setError(fileError)
    if (!fileError) setChosen(file)
  }
  const work = async (what: typeof busy, doIt: () => Promise<LogoReply>, done: string, failed: string) => {
    setBusy(what)
    setError(undefined)
    try {
      setLogo((await doIt()).logo)
      setChosen(undefined)
      toast.success(done)
      await renewSession()
    } catch (thrown) {
      setError(messageOf(thrown, failed))
    }
    setBusy(undefined)
  }
  const upload = () => {
    if (!chosen) return setError(textOf(texts.logoMissing))
    // Sent without its file name, which may contain characters that multipart forms can't encode.
    const nameless = new Blob([chosen], { type: chosen.type })
    void work('upload', () => core.uploadLogo(nameless), textOf(texts.logoUploaded), t`Failed to upload logo`)
  }
  const remove = () => {
    setIsAsking(false)
    void work('remove', () => core.removeLogo(), textOf(texts.logoRemoved), t`Failed to remove logo`)
  }

  return (
    <Card title={t`Website Logo`} subtitle={t`Shown in the top bar to everyone in ${corporation}.`}>
      <div
        className={cx(
          'relative flex min-h-36 flex-col items-center justify-center gap-2 rounded-xl border border-dashed px-4 py-5 text-center has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
          isOver ? 'border-accent bg-soft' : 'border-edge',
        )}
      >
        <ImageWithFallback
          src={preview ?? logo}
          alt={chosen ? t`Preview of ${chosen.name}` : t`Logo of ${corporation}`}
          className="max-h-20 max-w-full rounded bg-white object-contain p-1"
        >
          <ImageUp aria-hidden className="size-8 text-accent-text" />
        </ImageWithFallback>
        <p className="font-medium [overflow-wrap:anywhere]">
          {chosen ? chosen.name : t`Drop a file here, or choose one`}
        </p>
        <p className="text-xs text-muted">{t`PNG, JPEG or SVG, at most 2 MB. Recommended size 200x200 px.`}</p>
        {/* The invisible input covers the drop zone, so that files can be chosen by a click or dropped. */}
        <input
          type="file"
          accept="image/png,image/jpeg,image/svg+xml"
          aria-label={t`Logo file`}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onDragEnter={() => setIsOver(true)}
          onDragLeave={() => setIsOver(false)}
          onDrop={() => setIsOver(false)}
          onChange={event => {
            const file = event.target.files?.[0]
            // Clears the input, so that choosing the same file again fires a change event.
            event.target.value = ''
            if (file && !busy) void choose(file)
          }}
        />
      </div>
      <ErrorNotice className="mt-3" message={error} />
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        {chosen && !busy && (
          <Button kind="ghost" onClick={() => setChosen(undefined)}>
            {t`Discard file`}
          </Button>
        )}
        {logo && (
          <Button
            kind="danger"
            busy={busy === 'remove'}
            ariaDisabled={busy === 'upload'}
            onClick={() => setIsAsking(true)}
          >
            {t`Remove logo`}
          </Button>
        )}
        <Button kind="primary" busy={busy === 'upload'} ariaDisabled={busy === 'remove'} onClick={upload}>
          {t`Save logo`}
        </Button>
      </div>
      <Confirm
        open={isAsking}
        title={t`Remove the logo?`}
        description={t`Everyone in ${corporation} will see the brand name instead.`}
        cancelLabel={t`Keep logo`}
        confirmLabel={t`Remove`}
        onCancel={() => setIsAsking(false)}
        onConfirm={remove}
      />
    </Card>
  )
}

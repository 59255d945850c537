import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Download, FileSpreadsheet, FileText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { core, type Message } from '~/core'
import type { ListName } from '~/core/lists'
import { messageIn } from '~/core/problem'
import { textOf } from '~/language'
import { ResponseError } from '~/lib/authorizedFetch'
import { count } from '~/lib/format'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Menu } from '~/ui/Menu'
import { ErrorNotice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { toast } from '~/ui/Toasts'
import { download, saveFile } from './download'

type Format = 'csv' | 'xlsx'

type Props = {
  list: ListName
  /** What the rows are, for example "contacts". */
  noun: string
  /** The parameters of the list's request; page and limit do not matter. */
  parameters: Record<string, string | number | undefined>
}

/** The menu that exports all rows of the list, in its sort order and with its filters. */
export function ExportMenu(props: Props) {
  const [format, setFormat] = useState<Format>()
  const item = (value: Format, label: string, Icon: typeof FileText) => (
    <Base.Item className="option" onClick={() => setFormat(value)}>
      <Icon aria-hidden className="size-4 text-muted" />
      {label}
    </Base.Item>
  )
  return (
    <>
      <Menu
        trigger={
          <Button className="max-md:px-3!" aria-label={t`Export`}>
            <Download aria-hidden className="size-4" />
            <span className="max-md:hidden">{t`Export`}</span>
          </Button>
        }
      >
        {item('csv', t`CSV file`, FileText)}
        {item('xlsx', t`Excel file`, FileSpreadsheet)}
      </Menu>
      {format && <ExportDialog {...props} format={format} onClose={() => setFormat(undefined)} />}
    </>
  )
}

const addressOf = ({ list, parameters, format }: Props & { format: Format }) => {
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(parameters)) {
    if (value && name !== 'page' && name !== 'limit') query.set(name, String(value))
  }
  return `/api/${list}/export?${query}`
}

function describe(error: unknown): string {
  if (!(error instanceof ResponseError)) return textOf(core.texts().general.noConnection)
  const body = error.body as { message?: unknown; messages?: Message[] } | undefined
  const message = body && messageIn(body)
  return (message && textOf(message)) || t`The export failed.`
}

const MEGABYTE = 1_000_000

function ExportDialog({ onClose, ...props }: Props & { format: Format; onClose: () => void }) {
  const [bytes, setBytes] = useState(0)
  const [error, setError] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  const close = useRef(onClose)
  close.current = onClose
  const address = addressOf(props)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt sends the same request again.
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setError(undefined)
    setBytes(0)
    download(address, setBytes, signal)
      .then(({ name, file }) => {
        if (signal.aborted) return
        saveFile(name, file)
        toast.success(t`${name} was downloaded`)
        close.current()
      })
      .catch(thrown => {
        if (!signal.aborted) setError(describe(thrown))
      })
    return () => controller.abort()
  }, [address, attempt])
  const megabytes = count(Math.round(bytes / MEGABYTE))
  const { noun } = props
  return (
    <Dialog open size="small" title={t`Export ${noun}`} onClose={onClose}>
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
      <div className="mt-6 flex justify-end gap-2">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        {error && (
          <Button kind="primary" onClick={() => setAttempt(attempt + 1)}>
            {t`Try Again`}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

import { Menu as Base } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Download, FileSpreadsheet, FileText } from 'lucide-react'
import { useState } from 'react'
import type { ListName } from '~/core/lists'
import { Button } from '~/ui/Button'
import { Menu } from '~/ui/Menu'
import { DownloadDialog } from './DownloadDialog'

type Format = 'csv' | 'xlsx'

type Props = {
  list: ListName
  /** The plural noun for the rows, for example "contacts". */
  noun: string
  /** The parameters of the list's request. Page and limit are ignored. */
  parameters: Record<string, string | number | undefined>
}

/** The menu that exports all rows of the list, in its sort order and with its filters. */
export function ExportMenu(props: Props) {
  const [format, setFormat] = useState<Format>()
  const { noun } = props
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
          <Button className="max-md:min-w-touch max-md:px-3!" aria-label={t`Export`}>
            <Download aria-hidden className="size-4" />
            <span className="max-md:hidden">{t`Export`}</span>
          </Button>
        }
      >
        {item('csv', t`CSV file`, FileText)}
        {item('xlsx', t`Excel file`, FileSpreadsheet)}
      </Menu>
      {format && (
        <DownloadDialog
          title={t`Export ${noun}`}
          address={addressOf({ ...props, format })}
          onClose={() => setFormat(undefined)}
        />
      )}
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

import { plural, t } from '@lingui/core/macro'
import { Download, Eraser } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Certificate, DataKind, HeldPart, PersonalData } from '~/core'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'
import { DownloadDialog } from '~/records/export/DownloadDialog'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EraseDialog } from './EraseDialog'
import { countOf } from './names'

const lists: Partial<Record<DataKind, string>> = {
  contacts: paths.contacts,
  customers: paths.customers,
  invoices: paths.invoices,
}

type Props = {
  email: string
  data: PersonalData
  /** Called when the dialog that erased the data closes. */
  onErased: () => void
}

/** What is stored about a person, and what can be done with it. */
export function Held({ email, data, onErased }: Props) {
  const [open, setOpen] = useState<'download' | 'erase'>()
  const [certificate, setCertificate] = useState<Certificate>()
  const close = () => {
    setOpen(undefined)
    if (certificate) onErased()
  }
  return (
    <Card title={t`What is stored`} subtitle={<span className="[overflow-wrap:anywhere]">{email}</span>}>
      <ul className="grid gap-2">
        {data.held.map(part => (
          <li key={part.kind} className="flex flex-wrap items-baseline gap-x-2">
            <Count part={part} email={email} />
          </li>
        ))}
        {data.held.length === 0 && (
          <li className="text-muted">{t`Only the history of a record that has another address now`}</li>
        )}
      </ul>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button onClick={() => setOpen('download')}>
          <Download aria-hidden className="size-4" />
          {t`Download everything`}
        </Button>
        <Button kind="danger" onClick={() => setOpen('erase')}>
          <Eraser aria-hidden className="size-4" />
          {t`Erase…`}
        </Button>
      </div>
      {open === 'download' && (
        <DownloadDialog
          title={t`Download everything`}
          address={`/api/privacy/export?${new URLSearchParams({ email })}`}
          onClose={close}
        />
      )}
      {open === 'erase' && (
        <EraseDialog
          email={email}
          data={data}
          certificate={certificate}
          onErased={setCertificate}
          onClose={close}
        />
      )}
    </Card>
  )
}

/** A list can be opened, with the filter by the address. It doesn't have what is in the trash or only linked. */
function Count({ part: { kind, count, in_trash }, email }: { part: HeldPart; email: string }) {
  const list = lists[kind]
  const text = countOf[kind](count)
  return (
    <>
      {list && count > in_trash ? (
        <Link
          to={listAddress(list, { filter: filterBy('email', email) })}
          className="rounded font-medium text-accent-text hover:underline"
        >
          {text}
        </Link>
      ) : (
        <span className="font-medium">{text}</span>
      )}
      {in_trash > 0 && (
        <span className="text-muted">
          {plural(in_trash, { one: '# of these is in the trash', other: '# of these are in the trash' })}
        </span>
      )}
    </>
  )
}

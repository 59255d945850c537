import { plural, t } from '@lingui/core/macro'
import { Download, Eraser } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Certificate, DataKind, HeldPart, PersonalData, ResourceId } from '~/core'
import type { ListsCore } from '~/core/lists'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'
import { canRead } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { DownloadDialog } from '~/records/export/DownloadDialog'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EraseDialog } from './EraseDialog'
import { countOf } from './names'

/** The kinds of data that are records of a list, which can be filtered by the e-mail address. */
const lists: Partial<Record<DataKind, { name: ResourceId; route: string }>> = {
  contacts: { name: 'contacts', route: paths.contacts },
  customers: { name: 'customers', route: paths.customers },
  invoices: { name: 'invoices', route: paths.invoices },
  account: { name: 'users', route: paths.users },
}

type Props = {
  email: string
  data: PersonalData
  rules: ListsCore
  /** Called when the user closes the dialog after the data was erased. */
  onErased: () => void
  /** Called when erasing has failed. Then it is unknown whether the data was erased. */
  onFailed: () => void
}

/** The card that lists what is stored about a person, with buttons to download and to erase it. */
export function Held({ email, data, rules, onErased, onFailed }: Props) {
  const [open, setOpen] = useState<'download' | 'erase'>()
  const [certificate, setCertificate] = useState<Certificate>()
  const { resources } = useSession()
  const hasCustomers = data.held.some(({ kind }) => kind === 'customers')
  /**
   * Returns the URL of the list of the found records; undefined if the user can't open it or it wouldn't show all of
   * them.
   */
  const addressOf = ({ kind, count, in_trash }: HeldPart) => {
    const list = lists[kind]
    if (!list || count === in_trash || !canRead(resources, list.name, list.route)) return undefined
    // Invoices are also found by their linked customer, which a filter by e-mail wouldn't show.
    if (kind === 'invoices' && hasCustomers) return undefined
    return listAddress(list.route, { filter: filterBy('email', email) })
  }
  const close = () => {
    setOpen(undefined)
    if (certificate) onErased()
  }
  return (
    <Card title={t`What is stored`} subtitle={<span className="[overflow-wrap:anywhere]">{email}</span>}>
      <ul className="grid gap-2">
        {data.held.map(part => (
          <li key={part.kind} className="flex flex-wrap items-baseline gap-x-2">
            <Count part={part} address={addressOf(part)} />
          </li>
        ))}
        {data.held.length === 0 && (
          <li className="text-muted">{t`Only in the history: the record now has another email address`}</li>
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
          rules={rules}
          certificate={certificate}
          onErased={setCertificate}
          onFailed={onFailed}
          onClose={close}
        />
      )}
    </Card>
  )
}

function Count({ part: { kind, count, in_trash }, address }: { part: HeldPart; address?: string }) {
  const text = countOf[kind](count)
  return (
    <>
      {address ? (
        <Link
          to={address}
          className="inline-flex items-center rounded font-medium text-accent-text hover:underline touch:min-h-touch"
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

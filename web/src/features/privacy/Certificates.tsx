import { t } from '@lingui/core/macro'
import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import { type Certificate, core, type ListPage } from '~/core'
import type { ListsCore } from '~/core/lists'
import { moment } from '~/lib/format'
import { useLoaded } from '~/lib/load'
import { appendOlder, useOlder } from '~/lib/older'
import { CardFailed, CardLoading } from '~/records/CardState'
import { actorName } from '~/records/history/actorName'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { ShowOlder } from '~/ui/ShowOlder'
import { saveCertificate } from './certificate'
import { LIMIT, loadCertificates, type privacyLoader } from './loader'

/** The card with the certificates of earlier erasures of personal data, newest first. */
export function Certificates({ rules }: { rules: ListsCore }) {
  const { promise } = useLoaderData<typeof privacyLoader>()
  const { outcome } = useLoaded(promise)
  const { revalidate } = useRevalidator()
  return (
    <Card title={t`Certificates`} subtitle={t`Each erasure has one. It doesn't say whose data it was.`}>
      {outcome === undefined ? (
        <CardLoading lines={2} />
      ) : outcome.ok ? (
        <List list={outcome.value} rules={rules} />
      ) : (
        <CardFailed
          error={outcome.error}
          failed={t`Failed to load the certificates`}
          onRetry={() => void revalidate()}
        />
      )}
    </Card>
  )
}

const idOf = (certificate: Certificate) => certificate.certificate_id

type ListProps = { list: ListPage<Certificate>; rules: ListsCore }

function List({ list: { data, totalItems }, rules }: ListProps) {
  const [older, setOlder] = useState<Certificate[]>([])
  const { isLoading, error, load } = useOlder(t`Failed to load older certificates`)
  const list = useRef<HTMLUListElement>(null)
  const all = appendOlder(data, older, idOf)
  if (all.length === 0) return <p className="text-muted">{t`Nothing has been erased yet.`}</p>
  const loadOlder = () => {
    const page = Math.floor(all.length / LIMIT) + 1
    void load(
      signal => loadCertificates(core, page, signal),
      next => setOlder(now => appendOlder(now, next.data, idOf)),
    )
  }
  return (
    <>
      <ul ref={list} className="divide-y divide-line">
        {all.map(certificate => {
          const [time, name] = [
            moment(certificate.at),
            actorName({ name: certificate.by, name_message: certificate.by_message }),
          ]
          return (
            <li
              key={certificate.certificate_id}
              tabIndex={-1}
              className="flex items-center justify-between gap-3 py-2 outline-none"
            >
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {time}
                <span className="block text-muted">{t`by ${name}`}</span>
              </span>
              <Button
                kind="ghost"
                aria-label={t`Download the certificate of ${time}`}
                onClick={() => saveCertificate(certificate, rules)}
              >
                <Download aria-hidden className="size-4" />
                {t`Download`}
              </Button>
            </li>
          )
        })}
      </ul>
      <ShowOlder
        list={list}
        items="li"
        shown={all.length}
        hasOlder={totalItems > all.length}
        isLoading={isLoading}
        error={error}
        onLoad={loadOlder}
      >
        {t`Show older certificates`}
      </ShowOlder>
    </>
  )
}

import { t } from '@lingui/core/macro'
import { Download } from 'lucide-react'
import { useLoaderData, useRevalidator } from 'react-router'
import type { CertificateList } from '~/core'
import { moment } from '~/lib/format'
import { useLoaded } from '~/lib/load'
import { CardFailed, CardLoading } from '~/records/CardState'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { saveCertificate } from './certificate'
import type { privacyLoader } from './loader'

/** The certificates of earlier erasures. */
export function Certificates() {
  const { promise } = useLoaderData<typeof privacyLoader>()
  const { outcome } = useLoaded(promise)
  const { revalidate } = useRevalidator()
  return (
    <Card title={t`Certificates`} subtitle={t`Each erasure has one. It doesn't say whose data it was.`}>
      {outcome === undefined ? (
        <CardLoading lines={2} />
      ) : outcome.ok ? (
        <List list={outcome.value} />
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

function List({ list: { data } }: { list: CertificateList }) {
  if (data.length === 0) return <p className="text-muted">{t`Nothing has been erased yet.`}</p>
  return (
    <ul className="divide-y divide-line">
      {data.map(certificate => {
        const [time, name] = [moment(certificate.at), certificate.by]
        return (
          <li key={certificate.certificate_id} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {time}
              <span className="block text-muted">{t`by ${name}`}</span>
            </span>
            <Button
              kind="ghost"
              aria-label={t`Download the certificate of ${time}`}
              onClick={() => saveCertificate(certificate)}
            >
              <Download aria-hidden className="size-4" />
              {t`Download`}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

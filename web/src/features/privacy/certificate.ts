import { t } from '@lingui/core/macro'
import type { Certificate } from '~/core'
import type { ListsCore } from '~/core/lists'
import { exactMoment } from '~/lib/format'
import { save } from '~/lib/save'
import { countOf, fieldsText, keptText } from './names'

/** Returns the certificate of an erasure as a text, which doesn't say whose data was erased. */
export function certificateText(certificate: Certificate, rules: ListsCore): string {
  const { certificate_id, at, by, erased, kept } = certificate
  const time = exactMoment(at)
  return [
    t`Certificate of erasure`,
    '',
    t`Certificate: ${certificate_id}`,
    t`Time: ${time}`,
    t`By: ${by}`,
    '',
    t`Erased:`,
    ...erased.map(part => `- ${countOf[part.kind](part.count)}: ${fieldsText(part, rules)}`),
    ...(erased.length === 0 ? [`- ${t`nothing`}`] : []),
    '',
    t`Kept:`,
    ...kept.map(part => `- ${countOf[part.kind](part.count)}: ${keptText(part, rules)}`),
    ...(kept.length === 0 ? [`- ${t`nothing`}`] : []),
    '',
  ].join('\r\n')
}

/** Downloads the certificate of an erasure as a text file. */
export function saveCertificate(certificate: Certificate, rules: ListsCore) {
  const file = new Blob([certificateText(certificate, rules)], { type: 'text/plain;charset=utf-8' })
  save(file, `certificate-${certificate.certificate_id}.txt`)
}

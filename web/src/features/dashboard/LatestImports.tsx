import { plural, t } from '@lingui/core/macro'
import type { ImportFigures } from '~/core'
import { count, exactMoment, moment } from '~/lib/format'
import { importStates } from '~/lib/importStates'
import { paths } from '~/lib/paths'
import { Badge } from '~/ui/Badge'
import { DashboardCard } from './DashboardCard'

export function LatestImports({ imports }: { imports: ImportFigures[] }) {
  return (
    <DashboardCard title={t`Latest imports`} all={{ name: t`All imports`, to: paths.imports }}>
      {imports.length === 0 ? (
        <p className="py-6 text-center text-muted">{t`No imports yet.`}</p>
      ) : (
        <ul aria-label={t`Latest imports`} className="mt-1 divide-y divide-line">
          {imports.map(file => (
            <Row key={file.id} file={file} />
          ))}
        </ul>
      )}
    </DashboardCard>
  )
}

function outcomeOf({ totalRecords, successRecords, failedRecords }: ImportFigures) {
  const imported = count(successRecords)
  const failed = count(failedRecords)
  return failedRecords > 0
    ? plural(totalRecords, {
        one: `${imported} of # row imported, ${failed} failed`,
        other: `${imported} of # rows imported, ${failed} failed`,
      })
    : plural(totalRecords, { one: `${imported} of # row imported`, other: `${imported} of # rows imported` })
}

function Row({ file }: { file: ImportFigures }) {
  const { fileName, status, createdAt } = file
  const { kind, word } = importStates[status]
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-56">
        <span title={fileName} className="block truncate font-medium">
          {fileName}
        </span>
        <span className="block text-muted tabular-nums">{outcomeOf(file)}</span>
      </span>
      <time dateTime={createdAt} title={exactMoment(createdAt)} className="text-muted tabular-nums">
        {moment(createdAt)}
      </time>
      <Badge kind={kind}>{word}</Badge>
    </li>
  )
}

import { t } from '@lingui/core/macro'
import type { ImportFigures } from '~/core'
import { badgeOf, outcomeOf } from '~/lib/importStates'
import { paths } from '~/lib/paths'
import { Time } from '~/records/Time'
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

function Row({ file }: { file: ImportFigures }) {
  const { fileName, createdAt } = file
  const { kind, word } = badgeOf(file)
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-56">
        <span title={fileName} className="line-clamp-2 font-medium [overflow-wrap:anywhere]">
          {fileName}
        </span>
        <span className="block text-muted tabular-nums">{outcomeOf(file)}</span>
      </span>
      <Time at={createdAt} className="text-muted tabular-nums" />
      <Badge kind={kind}>{word}</Badge>
    </li>
  )
}
